#include "local/stepfunctions/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local::stepfunctions {

absl::Status ApiError(absl::string_view code, absl::string_view message) {
  return ServiceError(
      {.code = std::string(code), .message = std::string(message)});
}

absl::Status ValidationError(absl::string_view message) {
  return ApiError("ValidationException", message);
}

absl::Status ConflictError(absl::string_view message) {
  return ApiError("ConflictException", message);
}

absl::Status InvalidArnError(absl::string_view reason) {
  return ApiError("InvalidArn", absl::StrCat("Invalid Arn: '", reason, "'"));
}

absl::Status InvalidNameError(absl::string_view name) {
  return ApiError("InvalidName", absl::StrCat("Invalid Name: '", name, "'"));
}

absl::Status InvalidPageTokenError() {
  return ApiError("InvalidToken", "Invalid Token: 'Invalid token'");
}

absl::Status MachineNotFoundError(absl::string_view arn) {
  return ApiError("StateMachineDoesNotExist",
                  absl::StrCat("State Machine Does Not Exist: '", arn, "'"));
}

absl::Status ExecutionNotFoundError(absl::string_view arn) {
  return ApiError("ExecutionDoesNotExist",
                  absl::StrCat("Execution Does Not Exist: '", arn, "'"));
}

absl::Status ActivityNotFoundError(absl::string_view arn) {
  return ApiError("ActivityDoesNotExist",
                  absl::StrCat("Activity Does Not Exist: '", arn, "'"));
}

absl::Status ResourceNotFoundError() {
  return ApiError("ResourceNotFound",
                  "Request references a resource that does not exist.");
}

absl::Status TypeNotSupportedError() {
  return ApiError(
      "StateMachineTypeNotSupported",
      "This operation is not supported by this type of state machine");
}

}  // namespace byoshin::local::stepfunctions
