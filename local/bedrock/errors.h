// The errors of Bedrock Runtime's API, in AWS's words.
// https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
#ifndef BYOSHIN_LOCAL_BEDROCK_ERRORS_H_
#define BYOSHIN_LOCAL_BEDROCK_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::bedrock {

absl::Status ValidationError(absl::string_view message);
absl::Status InvalidModelId();
absl::Status ModelNotFound();
absl::Status AccessDenied();
absl::Status TooManyRequests();
absl::Status TooManyTokens();
absl::Status ModelNotReady();
absl::Status ModelTimeout();
absl::Status ModelError(absl::string_view model_id, int original_status);
absl::Status Unavailable();
absl::Status InternalServerError();

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_ERRORS_H_
