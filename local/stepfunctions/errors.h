// The errors of Step Functions' API, in AWS's words.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_ERRORS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

// Before the code of an error in an answer.
inline constexpr char kErrorTypePrefix[] =
    "com.amazonaws.swf.service.v2.model#";

absl::Status ApiError(absl::string_view code, absl::string_view message);

absl::Status ValidationError(absl::string_view message);
absl::Status ConflictError(absl::string_view message);
absl::Status InvalidArnError(absl::string_view reason);
absl::Status InvalidNameError(absl::string_view name);
absl::Status InvalidPageTokenError();
absl::Status MachineNotFoundError(absl::string_view arn);
absl::Status ExecutionNotFoundError(absl::string_view arn);
absl::Status ActivityNotFoundError(absl::string_view arn);
// Of tags and aliases.
absl::Status ResourceNotFoundError();
absl::Status TypeNotSupportedError();

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_ERRORS_H_
