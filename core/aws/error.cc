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

// AWS's throttling error codes, as in AWS's SDKs, and those of SQS.
constexpr absl::string_view kThrottlingCodes[] = {
    "BandwidthLimitExceeded",
    "EC2ThrottledException",
    "KMSThrottlingException",
    "KmsThrottled",
    "LimitExceededException",
    "PriorRequestNotComplete",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "RequestThrottledException",
    "SlowDown",
    "ThrottledException",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "TransactionInProgressException",
};

// Failures of the service or the network, regardless of the HTTP status.
constexpr absl::string_view kTransientCodes[] = {
    "InternalError",       "InternalFailure",
    "InternalServerError", "InternalServerException",
    "RequestTimeout",      "RequestTimeoutException",
    "ServiceUnavailable",  "ServiceUnavailableException",
};

// Including a wrong clock: retrying does not correct it.
constexpr absl::string_view kDeniedCodes[] = {
    "AccessDenied",
    "AccessDeniedException",
    "AuthFailure",
    "ExpiredToken",
    "ExpiredTokenException",
    "IncompleteSignature",
    "IncompleteSignatureException",
    "InvalidClientTokenId",
    "InvalidSecurity",
    "InvalidSignatureException",
    "KmsAccessDenied",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "NotAuthorized",
    "OptInRequired",
    "RequestExpired",
    "RequestInTheFuture",
    "RequestTimeTooSkewed",
    "SignatureDoesNotMatch",
    "UnrecognizedClientException",
};

constexpr absl::string_view kNotFoundCodes[] = {
    "AWS.SimpleQueueService.NonExistentQueue",
    "QueueDoesNotExist",
    "ResourceNotFoundException",
    "TableNotFoundException",
};

constexpr absl::string_view kConditionCodes[] = {
    "ConditionalCheckFailedException",
};

template <size_t n>
bool Contains(const absl::string_view (&codes)[n], absl::string_view code) {
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

// The code is more specific than the HTTP status, so it is checked first:
// throttling, for example, comes with 400, 403, 429 or 503.
absl::StatusCode CodeOf(const Error& error) {
  if (Contains(kThrottlingCodes, error.code)) {
    return absl::StatusCode::kResourceExhausted;
  }
  if (Contains(kTransientCodes, error.code)) {
    return absl::StatusCode::kUnavailable;
  }
  if (Contains(kDeniedCodes, error.code)) {
    return absl::StatusCode::kPermissionDenied;
  }
  if (Contains(kNotFoundCodes, error.code)) return absl::StatusCode::kNotFound;
  if (Contains(kConditionCodes, error.code)) {
    return absl::StatusCode::kFailedPrecondition;
  }
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
