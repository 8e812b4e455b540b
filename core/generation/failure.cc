#include "core/generation/failure.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/generation/api_error.h"
#include "core/generation/process.h"
#include "core/lambda/error_type.h"

namespace byoshin::generation {

ProcessError ProcessErrorOf(absl::string_view failure_name) {
  if (failure_name == kThrottlingFailure) {
    return {.code = kAiThrottling,
            .message =
                "AIサービスが混み合っています。しばらくしてから再試行して"
                "ください"};
  }
  if (failure_name == kResponseInvalidFailure) {
    return {.code = kAiResponseInvalid,
            .message = "AIの応答が正しい形式ではありませんでした"};
  }
  if (failure_name == kDatabaseConnectionFailure ||
      failure_name == kDatabaseFailure) {
    return {.code = kProcessDatabaseError,
            .message = "データベースエラーが発生しました"};
  }
  if (failure_name == kTimeoutFailure || failure_name == kDeadlineFailure) {
    return {.code = kTimeoutError, .message = "処理時間が制限を超えました"};
  }
  return {.code = kAiError, .message = "AI生成処理でエラーが発生しました"};
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
