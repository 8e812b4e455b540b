#include "core/generation/failure.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/generation/api_error.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/lambda/error_type.h"

namespace byoshin::generation {

namespace {

struct KnownError {
  absl::string_view code;
  absl::string_view japanese;
  absl::string_view english;
};

constexpr KnownError kKnownErrors[] = {
    {kAiThrottling,
     "AIサービスが混み合っています。しばらくしてから再試行してください",
     "The AI service is busy. Try again in a little while."},
    {kAiResponseInvalid, "AIの応答が正しい形式ではありませんでした",
     "The AI's answers did not have the required form."},
    {kProcessDatabaseError, "データベースエラーが発生しました",
     "A database error occurred."},
    {kTimeoutError, "処理時間が制限を超えました",
     "The processing took longer than allowed."},
    {kAiError, "AI生成処理でエラーが発生しました",
     "An error occurred during the generation."}};

const KnownError* FindError(absl::string_view code) {
  for (const KnownError& error : kKnownErrors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

absl::string_view CodeOf(absl::string_view failure_name) {
  if (failure_name == kThrottlingFailure) return kAiThrottling;
  if (failure_name == kResponseInvalidFailure) return kAiResponseInvalid;
  if (failure_name == kDatabaseConnectionFailure ||
      failure_name == kDatabaseFailure) {
    return kProcessDatabaseError;
  }
  if (failure_name == kTimeoutFailure || failure_name == kDeadlineFailure) {
    return kTimeoutError;
  }
  return kAiError;
}

}  // namespace

ProcessError ProcessErrorOf(absl::string_view failure_name) {
  const KnownError& error = *FindError(CodeOf(failure_name));
  return {.code = std::string(error.code),
          .message = std::string(error.japanese)};
}

std::string MessageOf(const ProcessError& error, Language language) {
  const KnownError* const known = FindError(error.code);
  if (language == Language::kJapanese || known == nullptr) return error.message;
  return std::string(known->english);
}

Failure FailureNamed(absl::string_view name) {
  return {.name = std::string(name), .error = ProcessErrorOf(name)};
}

Failure FailureOfModel(const absl::Status& status) {
  const bool from_aws = aws::ErrorOf(status).has_value();
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return FailureNamed(kThrottlingFailure);
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      // Without an error of AWS, no answer came.
      return FailureNamed(from_aws ? kUnavailableFailure : kNetworkFailure);
    case absl::StatusCode::kDataLoss:
      return FailureNamed(kNetworkFailure);
    default:
      return FailureNamed(kModelFailure);
  }
}

Failure FailureOfDatabase(const absl::Status& status) {
  return FailureNamed(IsTransient(status) ? kDatabaseConnectionFailure
                                          : kDatabaseFailure);
}

absl::Status WithFailureName(const absl::Status& status) {
  const ApiError error = ApiErrorOf(status);
  if (error.code != ErrorCode::kDatabaseError) return status;
  return lambda::WithErrorType(status, error.retryable == Retryable::kYes
                                           ? kDatabaseConnectionFailure
                                           : kDatabaseFailure);
}

}  // namespace byoshin::generation
