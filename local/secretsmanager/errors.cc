#include "local/secretsmanager/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local::secretsmanager {
namespace {

absl::Status ErrorOf(absl::string_view code, absl::string_view message) {
  return ServiceError(
      {.code = std::string(code), .message = std::string(message)});
}

absl::Status NotFound(absl::string_view message) {
  return ErrorOf("ResourceNotFoundException", message);
}

}  // namespace

absl::Status InvalidParameter(absl::string_view message) {
  return ErrorOf("InvalidParameterException", message);
}

absl::Status InvalidRequest(absl::string_view message) {
  return ErrorOf("InvalidRequestException", message);
}

absl::Status ResourceExists(absl::string_view message) {
  return ErrorOf("ResourceExistsException", message);
}

absl::Status LimitExceeded(absl::string_view message) {
  return ErrorOf("LimitExceededException", message);
}

absl::Status Invalid(absl::string_view message) {
  return ErrorOf(kValidationException, message);
}

absl::Status SecretNotFound() {
  return NotFound("Secrets Manager can't find the specified secret.");
}

absl::Status StageNotFound(absl::string_view stage) {
  return NotFound(absl::StrCat(
      "Secrets Manager can't find the specified secret value for staging "
      "label: ",
      stage));
}

absl::Status VersionNotFound(absl::string_view version_id) {
  return NotFound(absl::StrCat(
      "Secrets Manager can't find the specified secret value for VersionId: ",
      version_id));
}

absl::Status MarkedForDeletion() {
  return InvalidRequest(
      "You can't perform this operation on the secret because it was marked "
      "for deletion.");
}

absl::Status ManagedByService(absl::string_view owning_service) {
  return InvalidRequest(absl::StrCat(
      "You can't perform this operation because the secret is managed by ",
      owning_service, "."));
}

absl::Status MalformedPolicy(absl::string_view message) {
  return ErrorOf("MalformedPolicyDocumentException", message);
}

absl::Status InvalidNextToken() {
  return ErrorOf("InvalidNextTokenException",
                 "The NextToken value is invalid.");
}

}  // namespace byoshin::local::secretsmanager
