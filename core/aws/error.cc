#include "core/aws/error.h"

#include <json/json.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"

namespace byoshin::aws {
namespace {

// The payload of a status that holds the error, as JSON, so that it is readable
// when the status is printed.
constexpr char kPayload[] = "byoshin/aws/error";

struct KnownCode {
  absl::string_view name;
  absl::StatusCode code;
};

// Sorted by the status code, then by name.
constexpr KnownCode kKnownCodes[] = {
    // AWS's throttling error codes, as in AWS's SDKs, and those of services.
    {"BandwidthLimitExceeded", absl::StatusCode::kResourceExhausted},
    {"EC2ThrottledException", absl::StatusCode::kResourceExhausted},
    {"ExecutionLimitExceeded", absl::StatusCode::kResourceExhausted},
    {"KMSThrottlingException", absl::StatusCode::kResourceExhausted},
    {"KmsThrottled", absl::StatusCode::kResourceExhausted},
    {"LimitExceededException", absl::StatusCode::kResourceExhausted},
    {"ModelNotReadyException", absl::StatusCode::kResourceExhausted},
    {"PriorRequestNotComplete", absl::StatusCode::kResourceExhausted},
    {"ProvisionedThroughputExceededException",
     absl::StatusCode::kResourceExhausted},
    {"RequestLimitExceeded", absl::StatusCode::kResourceExhausted},
    {"RequestThrottled", absl::StatusCode::kResourceExhausted},
    {"RequestThrottledException", absl::StatusCode::kResourceExhausted},
    {"SlowDown", absl::StatusCode::kResourceExhausted},
    {"ThrottledException", absl::StatusCode::kResourceExhausted},
    {"Throttling", absl::StatusCode::kResourceExhausted},
    {"ThrottlingException", absl::StatusCode::kResourceExhausted},
    {"TooManyRequestsException", absl::StatusCode::kResourceExhausted},
    {"TransactionInProgressException", absl::StatusCode::kResourceExhausted},
    // Failures of the service or the network, regardless of the HTTP status.
    {kDatabaseResuming, absl::StatusCode::kUnavailable},
    {"DatabaseUnavailableException", absl::StatusCode::kUnavailable},
    {"InternalError", absl::StatusCode::kUnavailable},
    {"InternalFailure", absl::StatusCode::kUnavailable},
    {"InternalServerError", absl::StatusCode::kUnavailable},
    {"InternalServerErrorException", absl::StatusCode::kUnavailable},
    {"InternalServerException", absl::StatusCode::kUnavailable},
    {"RequestTimeout", absl::StatusCode::kUnavailable},
    {"RequestTimeoutException", absl::StatusCode::kUnavailable},
    {"ServiceUnavailable", absl::StatusCode::kUnavailable},
    {"ServiceUnavailableError", absl::StatusCode::kUnavailable},
    {"ServiceUnavailableException", absl::StatusCode::kUnavailable},
    // Including a wrong clock: retrying does not correct it.
    {"AccessDenied", absl::StatusCode::kPermissionDenied},
    {"AccessDeniedException", absl::StatusCode::kPermissionDenied},
    {"AuthFailure", absl::StatusCode::kPermissionDenied},
    {"ExpiredToken", absl::StatusCode::kPermissionDenied},
    {"ExpiredTokenException", absl::StatusCode::kPermissionDenied},
    {"ForbiddenException", absl::StatusCode::kPermissionDenied},
    {"IncompleteSignature", absl::StatusCode::kPermissionDenied},
    {"IncompleteSignatureException", absl::StatusCode::kPermissionDenied},
    {"InvalidClientTokenId", absl::StatusCode::kPermissionDenied},
    {"InvalidSecurity", absl::StatusCode::kPermissionDenied},
    {"InvalidSignatureException", absl::StatusCode::kPermissionDenied},
    {"KmsAccessDenied", absl::StatusCode::kPermissionDenied},
    {"MissingAuthenticationToken", absl::StatusCode::kPermissionDenied},
    {"MissingAuthenticationTokenException",
     absl::StatusCode::kPermissionDenied},
    {"NotAuthorized", absl::StatusCode::kPermissionDenied},
    {"OptInRequired", absl::StatusCode::kPermissionDenied},
    {"RequestExpired", absl::StatusCode::kPermissionDenied},
    {"RequestInTheFuture", absl::StatusCode::kPermissionDenied},
    {"RequestTimeTooSkewed", absl::StatusCode::kPermissionDenied},
    {"SignatureDoesNotMatch", absl::StatusCode::kPermissionDenied},
    {"UnrecognizedClientException", absl::StatusCode::kPermissionDenied},

    {"AWS.SimpleQueueService.NonExistentQueue", absl::StatusCode::kNotFound},
    {"DatabaseNotFoundException", absl::StatusCode::kNotFound},
    {"ExecutionDoesNotExist", absl::StatusCode::kNotFound},
    {"QueueDoesNotExist", absl::StatusCode::kNotFound},
    {"ResourceNotFoundException", absl::StatusCode::kNotFound},
    {"StateMachineDoesNotExist", absl::StatusCode::kNotFound},
    {"TableNotFoundException", absl::StatusCode::kNotFound},
    {"TaskDoesNotExist", absl::StatusCode::kNotFound},

    {"ExecutionAlreadyExists", absl::StatusCode::kAlreadyExists},

    {"ConditionalCheckFailedException", absl::StatusCode::kFailedPrecondition},
    {"HttpEndpointNotEnabledException", absl::StatusCode::kFailedPrecondition},
    {"InvalidResourceStateException", absl::StatusCode::kFailedPrecondition},
    {"InvalidSecretException", absl::StatusCode::kFailedPrecondition},
    {"SecretsErrorException", absl::StatusCode::kFailedPrecondition},
    {"ServiceQuotaExceededException", absl::StatusCode::kFailedPrecondition},
    {"TaskTimedOut", absl::StatusCode::kFailedPrecondition},

    {"ModelTimeoutException", absl::StatusCode::kDeadlineExceeded},
    {"StatementTimeoutException", absl::StatusCode::kDeadlineExceeded},

    {"TransactionCanceledException", absl::StatusCode::kAborted},
    {"TransactionConflictException", absl::StatusCode::kAborted},
    {"TransactionNotFoundException", absl::StatusCode::kAborted},

    {"ModelErrorException", absl::StatusCode::kInternal},
};

// The code is more specific than the HTTP status, so it is checked first:
// throttling, for example, comes with 400, 403, 429 or 503.
absl::StatusCode CodeOf(const Error& error) {
  const auto* known = std::find_if(
      std::begin(kKnownCodes), std::end(kKnownCodes),
      [&](const KnownCode& candidate) { return candidate.name == error.code; });
  if (known != std::end(kKnownCodes)) return known->code;
  if (error.http_status == 429) return absl::StatusCode::kResourceExhausted;
  if (error.http_status >= 500) return absl::StatusCode::kUnavailable;
  if (error.http_status == 408) return absl::StatusCode::kUnavailable;
  if (error.http_status == 401 || error.http_status == 403) {
    return absl::StatusCode::kPermissionDenied;
  }
  if (error.http_status == 404) return absl::StatusCode::kNotFound;
  return absl::StatusCode::kInvalidArgument;
}

std::string StringField(const Json::Value& object, const char* name) {
  const Json::Value& value = object[name];
  return value.isString() ? value.asString() : std::string();
}

}  // namespace

absl::Status ToStatus(const Error& error, absl::string_view operation) {
  std::string message = absl::StrCat(operation, ": ", error.code);
  if (!error.message.empty()) absl::StrAppend(&message, ": ", error.message);
  absl::StrAppend(&message, " (HTTP ", error.http_status);
  if (!error.request_id.empty()) {
    absl::StrAppend(&message, ", request id ", error.request_id);
  }
  absl::StrAppend(&message, ")");

  Json::Value payload(Json::objectValue);
  payload["code"] = error.code;
  payload["message"] = error.message;
  payload["httpStatus"] = error.http_status;
  payload["requestId"] = error.request_id;

  absl::Status status(CodeOf(error), message);
  status.SetPayload(kPayload, absl::Cord(json::WriteValue(payload)));
  return status;
}

absl::Status WithCode(absl::StatusCode code, const absl::Status& status) {
  absl::Status changed(code, status.message());
  status.ForEachPayload([&](absl::string_view type, const absl::Cord& payload) {
    changed.SetPayload(type, payload);
  });
  return changed;
}

std::optional<Error> ErrorOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  if (!payload.has_value()) return std::nullopt;
  const absl::StatusOr<Json::Value> value =
      json::ParseValue(std::string(*payload));
  if (!value.ok() || !value->isObject()) return std::nullopt;
  const Json::Value& http_status = (*value)["httpStatus"];
  return Error{.code = StringField(*value, "code"),
               .message = StringField(*value, "message"),
               .http_status = http_status.isInt() ? http_status.asInt() : 0,
               .request_id = StringField(*value, "requestId")};
}

}  // namespace byoshin::aws
