// An error that the API answers, carried in an absl::Status.
//
//   return ToStatus({.code = ErrorCode::kForbidden}, "process of another
//   user");
//   ...
//   const ApiError error = ApiErrorOf(status);
//   HttpStatusOf(error);  // 403
//
// The status's own message is for logs and may name internals; the error's
// message is for users.
#ifndef BYOSHIN_CORE_GENERATION_API_ERROR_H_
#define BYOSHIN_CORE_GENERATION_API_ERROR_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/generation/message.h"

namespace byoshin::generation {

enum class ErrorCode {
  kValidationError,
  kInvalidProcessType,
  kInvalidUuid,
  kUnauthorized,
  kForbidden,
  kRetryNotAllowed,
  kMaxRetryExceeded,
  kCancelNotAllowed,
  kRateLimitExceeded,
  kDatabaseError,
  kStepFunctionsError,
  kInternalError,
};

// "VALIDATION_ERROR".
absl::string_view NameOf(ErrorCode code);

struct FieldError {
  std::string field{};
  Message message{};

  friend bool operator==(const FieldError&, const FieldError&) = default;
};

// The details of an error for a body that is not a JSON object.
std::vector<FieldError> NotAnObjectDetails();

// Whether the same request may succeed later.
enum class Retryable { kNo, kYes };

struct ApiError {
  ErrorCode code = ErrorCode::kInternalError;
  std::vector<FieldError> details{};
  Retryable retryable = Retryable::kNo;

  friend bool operator==(const ApiError&, const ApiError&) = default;
};

int HttpStatusOf(const ApiError& error);
// The same for every error of the code.
absl::string_view MessageOf(ErrorCode code, Language language);

// `message` is for logs.
absl::Status ToStatus(const ApiError& error, absl::string_view message);

// The error attached to `status`; INTERNAL_ERROR if there is none.
ApiError ApiErrorOf(const absl::Status& status);

// Whether an error of the database may go away: the database was unreachable,
// overloaded or too slow, or a transaction was aborted.
bool IsTransient(const absl::Status& status);

// `status`, an error of a store, as DATABASE_ERROR; one of the API, and OK, as
// it is.
absl::Status AsDatabaseError(const absl::Status& status);
// `status`, an error of Step Functions, as STEP_FUNCTIONS_ERROR.
absl::Status AsWorkflowError(const absl::Status& status);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_API_ERROR_H_
