// The errors of AppSync's control plane.
// https://docs.aws.amazon.com/appsync/latest/APIReference/CommonErrors.html
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_ERRORS_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::appsync {

inline constexpr char kBadRequestException[] = "BadRequestException";

absl::Status BadRequest(absl::string_view message);
absl::Status NotFound(absl::string_view message);
absl::Status ApiNotFound(absl::string_view id);
absl::Status LimitExceeded(absl::string_view message);
absl::Status KeyLifeOutOfBounds();
absl::Status TooManyKeys();

// BadRequestException: the local cloud lacks what was asked for.
absl::Status Unsupported(absl::string_view what);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_ERRORS_H_
