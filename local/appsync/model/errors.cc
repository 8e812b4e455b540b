#include "local/appsync/model/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local::appsync {

absl::Status BadRequest(absl::string_view message) {
  return ServiceError(
      {.code = kBadRequestException, .message = std::string(message)});
}

absl::Status NotFound(absl::string_view message) {
  return ServiceError({.code = "NotFoundException",
                       .message = std::string(message),
                       .http_status = 404});
}

absl::Status ApiNotFound(absl::string_view id) {
  return NotFound(absl::StrCat("GraphQL API ", id, " not found."));
}

absl::Status LimitExceeded(absl::string_view message) {
  return ServiceError({.code = "LimitExceededException",
                       .message = std::string(message),
                       .http_status = 429});
}

absl::Status KeyLifeOutOfBounds() {
  return ServiceError({.code = "ApiKeyValidityOutOfBoundsException",
                       .message = "API key must be valid for a minimum of 1 "
                                  "days."});
}

absl::Status TooManyKeys() {
  return ServiceError({.code = "ApiKeyLimitExceededException",
                       .message = "API key limit exceeded."});
}

absl::Status Unsupported(absl::string_view what) {
  return BadRequest(
      absl::StrCat(what, " is not supported by the local cloud."));
}

}  // namespace byoshin::local::appsync
