// Calls of AWS APIs of the cloud, signed as any AWS client signs them: with the
// credentials of the environment, or test:test.
#ifndef BYOSHIN_LOCAL_CLI_SIGNED_CALL_H_
#define BYOSHIN_LOCAL_CLI_SIGNED_CALL_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

// Signs the request for the service, such as "lambda", and sends it.
absl::StatusOr<http::Response> SendSigned(http::Request request,
                                          absl::string_view service,
                                          CommandContext& context);

// What to tell the user of an error in an answer; `what` is "the invocation",
// for example.
absl::Status CallRefused(absl::string_view what, const aws::Error& error);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIGNED_CALL_H_
