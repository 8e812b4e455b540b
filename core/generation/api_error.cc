#include "core/generation/api_error.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "core/generation/message.h"
#include "core/json/value.h"

namespace byoshin::generation {
namespace {

constexpr char kApiErrorPayload[] = "type.byoshin/generation.ApiError";

// One row per code.
struct CodeEntry {
  ErrorCode code;
  absl::string_view name;
  int http_status;
  absl::StatusCode status;
  absl::string_view japanese;
  absl::string_view english;
};

constexpr CodeEntry kCodes[] = {
    {ErrorCode::kValidationError, "VALIDATION_ERROR", 400,
     absl::StatusCode::kInvalidArgument, "入力内容に誤りがあります",
     "Some of the input is invalid."},
    {ErrorCode::kInvalidProcessType, "INVALID_PROCESS_TYPE", 400,
     absl::StatusCode::kInvalidArgument, "処理タイプが正しくありません",
     "The process type is invalid."},
    {ErrorCode::kInvalidUuid, "INVALID_UUID", 400,
     absl::StatusCode::kInvalidArgument, "IDの形式が正しくありません",
     "The ID is not a UUID."},
    {ErrorCode::kUnauthorized, "UNAUTHORIZED", 401,
     absl::StatusCode::kUnauthenticated, "認証が必要です",
     "Authentication is required."},
    {ErrorCode::kForbidden, "FORBIDDEN", 403,
     absl::StatusCode::kPermissionDenied,
     "この処理にアクセスする権限がありません",
     "You may not access this process."},
    {ErrorCode::kRetryNotAllowed, "RETRY_NOT_ALLOWED", 409,
     absl::StatusCode::kFailedPrecondition,
     "この処理は再試行できません。再試行できるのは失敗またはタイムアウトした処"
     "理"
     "のみです",
     "This process can't be retried. Only processes that failed or timed out "
     "can."},
    {ErrorCode::kMaxRetryExceeded, "MAX_RETRY_EXCEEDED", 409,
     absl::StatusCode::kFailedPrecondition, "再試行の上限（3回）に達しました",
     "The limit of 3 retries is reached."},
    {ErrorCode::kCancelNotAllowed, "CANCEL_NOT_ALLOWED", 409,
     absl::StatusCode::kFailedPrecondition,
     "この処理はすでに終了しているためキャンセルできません",
     "This process has already ended and can't be cancelled."},
    {ErrorCode::kRateLimitExceeded, "RATE_LIMIT_EXCEEDED", 429,
     absl::StatusCode::kResourceExhausted,
     "リクエストが多すぎます。しばらくしてから再度お試しください",
     "Too many requests. Try again in a little while."},
    {ErrorCode::kDatabaseError, "DATABASE_ERROR", 500,
     absl::StatusCode::kInternal, "データベースエラーが発生しました",
     "A database error occurred."},
    {ErrorCode::kStepFunctionsError, "STEP_FUNCTIONS_ERROR", 500,
     absl::StatusCode::kInternal, "処理を開始できませんでした",
     "The process could not be started."},
    {ErrorCode::kInternalError, "INTERNAL_ERROR", 500,
     absl::StatusCode::kInternal, "内部エラーが発生しました",
     "An internal error occurred."},
};

constexpr int kServiceUnavailable = 503;

const CodeEntry& EntryOf(ErrorCode code) {
  for (const CodeEntry& entry : kCodes) {
    if (entry.code == code) return entry;
  }
  return kCodes[static_cast<int>(ErrorCode::kInternalError)];
}

absl::Status AsError(ErrorCode code, const absl::Status& status) {
  if (status.ok() || status.GetPayload(kApiErrorPayload).has_value()) {
    return status;
  }
  return ToStatus(
      {.code = code,
       .retryable = IsTransient(status) ? Retryable::kYes : Retryable::kNo},
      status.message());
}

}  // namespace

absl::string_view NameOf(ErrorCode code) { return EntryOf(code).name; }

int HttpStatusOf(const ApiError& error) {
  const int status = EntryOf(error.code).http_status;
  return status == 500 && error.retryable == Retryable::kYes
             ? kServiceUnavailable
             : status;
}

absl::string_view MessageOf(ErrorCode code, Language language) {
  const CodeEntry& entry = EntryOf(code);
  return language == Language::kEnglish ? entry.english : entry.japanese;
}

std::vector<FieldError> NotAnObjectDetails() {
  return {{.field = "body",
           .message = {.japanese = "JSONオブジェクトで指定してください",
                       .english = "Give a JSON object."}}};
}

absl::Status ToStatus(const ApiError& error, absl::string_view message) {
  Json::Value payload(Json::objectValue);
  payload["code"] = static_cast<int>(error.code);
  payload["retryable"] = error.retryable == Retryable::kYes;
  payload["details"] = Json::Value(Json::arrayValue);
  for (const FieldError& detail : error.details) {
    Json::Value json(Json::objectValue);
    json["field"] = detail.field;
    json["japanese"] = detail.message.japanese;
    json["english"] = detail.message.english;
    payload["details"].append(json);
  }
  absl::Status status(EntryOf(error.code).status, message);
  status.SetPayload(kApiErrorPayload, absl::Cord(json::WriteValue(payload)));
  return status;
}

ApiError ApiErrorOf(const absl::Status& status) {
  const auto text = status.GetPayload(kApiErrorPayload);
  if (!text.has_value()) return {};
  const absl::StatusOr<Json::Value> payload =
      json::ParseValue(std::string(*text));
  if (!payload.ok()) return {};
  ApiError error{.code = static_cast<ErrorCode>((*payload)["code"].asInt()),
                 .retryable = (*payload)["retryable"].asBool()
                                  ? Retryable::kYes
                                  : Retryable::kNo};
  for (const Json::Value& detail : (*payload)["details"]) {
    error.details.push_back(
        {.field = json::TextMember(detail, "field"),
         .message = {.japanese = json::TextMember(detail, "japanese"),
                     .english = json::TextMember(detail, "english")}});
  }
  return error;
}

bool IsTransient(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kDataLoss:
      return true;
    default:
      return false;
  }
}

absl::Status AsDatabaseError(const absl::Status& status) {
  return AsError(ErrorCode::kDatabaseError, status);
}

absl::Status AsWorkflowError(const absl::Status& status) {
  return AsError(ErrorCode::kStepFunctionsError, status);
}

}  // namespace byoshin::generation
