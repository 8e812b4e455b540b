// The errors of Secrets Manager's API, in AWS's words. None contains the value
// of a secret.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_ERRORS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::secretsmanager {

inline constexpr char kValidationException[] = "ValidationException";

absl::Status InvalidParameter(absl::string_view message);
absl::Status InvalidRequest(absl::string_view message);
absl::Status ResourceExists(absl::string_view message);
absl::Status LimitExceeded(absl::string_view message);
absl::Status Invalid(absl::string_view message);

absl::Status SecretNotFound();
absl::Status StageNotFound(absl::string_view stage);
absl::Status VersionNotFound(absl::string_view version_id);
absl::Status MarkedForDeletion();
absl::Status ManagedByService(absl::string_view owning_service);
absl::Status MalformedPolicy(absl::string_view message);
absl::Status InvalidNextToken();

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_ERRORS_H_
