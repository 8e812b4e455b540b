#include "local/cli/access_flags.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/flags/arguments.h"
#include "local/cli/arguments.h"
#include "local/gateway/access_flags.h"
#include "local/gateway/credential_set.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {

std::vector<FlagSpec> AccessFlags() {
  return {{.name = kCredentialsFlag,
           .value = "KEY:SECRET",
           .help = "credentials to accept instead of test:test; may be "
                   "repeated",
           .repeated = true},
          {.name = kAllowOriginFlag,
           .value = "ORIGIN",
           .help = "let web pages of this origin call AWS's APIs and the REST "
                   "APIs; may be repeated",
           .repeated = true},
          {.name = kAllowHostFlag,
           .value = "NAME",
           .help = "accept requests for this host name, besides those of this "
                   "machine and of AWS; requires --credentials; may be "
                   "repeated",
           .repeated = true}};
}

absl::Status ReadAccessFlags(const Arguments& arguments,
                             stack::StackCloudOptions& options) {
  absl::Status status = flags::ReadAll(arguments, kCredentialsFlag,
                                       ParseCredentials, options.credentials);
  status.Update(flags::ReadAll(arguments, kAllowOriginFlag, ParseOrigin,
                               options.gateway.allowed_origins));
  status.Update(flags::ReadAll(arguments, kAllowHostFlag, ParseHostName,
                               options.gateway.allowed_hosts));
  if (!status.ok()) return status;
  return CheckCredentials(options.gateway, options.credentials);
}

LocalCredentials AcceptedCredentials(const stack::StackCloudOptions& options) {
  return options.credentials.empty() ? DefaultCredentials()
                                     : options.credentials.front();
}

}  // namespace byoshin::local::cli
