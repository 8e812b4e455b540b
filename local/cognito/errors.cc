#include "local/cognito/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local::cognito {

absl::Status ApiError(absl::string_view code, absl::string_view message) {
  return ServiceError(
      {.code = std::string(code), .message = std::string(message)});
}

absl::Status InvalidParameterError(absl::string_view message) {
  return ApiError(kInvalidParameter, message);
}

absl::Status NotAuthorizedError(absl::string_view message) {
  return ApiError("NotAuthorizedException", message);
}

absl::Status ResourceNotFoundError(absl::string_view message) {
  return ApiError("ResourceNotFoundException", message);
}

absl::Status NoPoolError(absl::string_view pool_id) {
  return ResourceNotFoundError(
      absl::StrCat("User pool ", pool_id, " does not exist."));
}

absl::Status NoClientError(absl::string_view client_id) {
  return ResourceNotFoundError(
      absl::StrCat("User pool client ", client_id, " does not exist."));
}

absl::Status NoUserError() {
  return ApiError("UserNotFoundException", "User does not exist.");
}

absl::Status NoGroupError() {
  return ResourceNotFoundError("Group not found.");
}

absl::Status WrongPasswordError() {
  return NotAuthorizedError("Incorrect username or password.");
}

absl::Status InvalidSessionError() {
  return NotAuthorizedError("Invalid session for the user.");
}

absl::Status ExpiredSessionError() {
  return NotAuthorizedError(
      "Invalid session for the user, session is expired.");
}

absl::Status WrongCodeError() {
  return ApiError("CodeMismatchException",
                  "Invalid verification code provided, please try again.");
}

absl::Status ExpiredCodeError() {
  return ApiError("ExpiredCodeException",
                  "Invalid code provided, please request a code again.");
}

absl::Status UsedCodeError() {
  return ApiError("ExpiredCodeException",
                  "Your software token has already been used once.");
}

absl::Status NotVerifiedTokenError() {
  return InvalidParameterError("User has not verified software token mfa");
}

absl::Status UnsupportedError(absl::string_view what) {
  return InvalidParameterError(
      absl::StrCat("the local Cognito does not support ", what));
}

}  // namespace byoshin::local::cognito
