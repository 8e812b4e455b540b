// The flags that say which callers a cloud accepts.
//
//   for (FlagSpec& flag : AccessFlags()) flags.push_back(std::move(flag));
//   ...
//   absl::Status status = ReadAccessFlags(arguments, options);
#ifndef BYOSHIN_LOCAL_CLI_ACCESS_FLAGS_H_
#define BYOSHIN_LOCAL_CLI_ACCESS_FLAGS_H_

#include <vector>

#include "absl/status/status.h"
#include "local/cli/arguments.h"
#include "local/gateway/credential_set.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {

std::vector<FlagSpec> AccessFlags();

// Adds what the flags say to `options`.
absl::Status ReadAccessFlags(const Arguments& arguments,
                             stack::StackCloudOptions& options);

// Some credentials that a cloud with these options accepts.
LocalCredentials AcceptedCredentials(const stack::StackCloudOptions& options);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ACCESS_FLAGS_H_
