#include "core/mesh/error.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/lambda/error_type.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {
namespace {

absl::Status NotFound(absl::string_view message) {
  return lambda::WithErrorType(absl::NotFoundError(message), kGroupNotFound);
}

}  // namespace

absl::Status GroupNotFoundError(const GroupKey& key) {
  return NotFound(absl::StrCat(kGroupNotFoundMessage, key.FullId()));
}

absl::Status GroupExpiredError(const GroupKey& key, int64_t expires_at) {
  return NotFound(absl::StrCat(kGroupExpiredMessage, key.FullId(),
                               kExpiresAtBefore, FormatSeconds(expires_at),
                               kExpiresAtAfter));
}

absl::Status HeartbeatExpiredError(const GroupKey& key) {
  return NotFound(absl::StrCat(kGroupNotFoundMessage, key.FullId(),
                               kHeartbeatExpiredSuffix));
}

absl::Status OnlyHostDissolvesError() {
  return lambda::WithErrorType(
      absl::PermissionDeniedError(kOnlyHostDissolvesMessage), kUnauthorized);
}

absl::Status NodeNotFoundError() {
  return lambda::WithErrorType(absl::NotFoundError(kNodeNotFoundMessage),
                               kNodeNotFound);
}

absl::Status ValidationError(absl::string_view message) {
  return lambda::WithErrorType(absl::InvalidArgumentError(message),
                               kValidationError);
}

bool IsClientError(const absl::Status& status) {
  return lambda::ErrorTypeOf(status).has_value();
}

}  // namespace byoshin::mesh
