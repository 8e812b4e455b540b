#include "local/bedrock/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/gateway/error.h"

namespace byoshin::local::bedrock {
namespace {

absl::Status ThrottlingError(absl::string_view message) {
  return ServiceError({.code = "ThrottlingException",
                       .message = std::string(message),
                       .http_status = 429});
}

constexpr char kUnexpected[] =
    "The system encountered an unexpected error during processing. Try your "
    "request again.";

}  // namespace

absl::Status ValidationError(absl::string_view message) {
  return ServiceError(
      {.code = "ValidationException", .message = std::string(message)});
}

absl::Status InvalidModelId() {
  return ValidationError("The provided model identifier is invalid.");
}

absl::Status ModelNotFound() {
  return ServiceError(
      {.code = "ResourceNotFoundException",
       .message = "Could not resolve the foundation model from the provided "
                  "model identifier.",
       .http_status = 404});
}

absl::Status AccessDenied() {
  return ServiceError(
      {.code = "AccessDeniedException",
       .message =
           "You don't have access to the model with the specified model ID.",
       .http_status = 403});
}

absl::Status TooManyRequests() {
  return ThrottlingError("Too many requests, please wait before trying again.");
}

absl::Status TooManyTokens() {
  return ThrottlingError("Too many tokens, please wait before trying again.");
}

absl::Status ModelNotReady() {
  return ServiceError({.code = "ModelNotReadyException",
                       .message = "The model specified in the request is not "
                                  "ready to serve inference requests.",
                       .http_status = 429});
}

absl::Status ModelTimeout() {
  return ServiceError({.code = "ModelTimeoutException",
                       .message = "Model has timed out in processing the "
                                  "request. Try your request again.",
                       .http_status = 408});
}

absl::Status ModelError(absl::string_view model_id, int original_status) {
  std::string members = absl::StrCat("\"originalStatusCode\":", original_status,
                                     ",\"resourceName\":");
  json::AppendQuoted(model_id, members);
  return ServiceError({.code = "ModelErrorException",
                       .message = kUnexpected,
                       .http_status = 424,
                       .json_members = members});
}

absl::Status Unavailable() {
  return ServiceError({.code = "ServiceUnavailableException",
                       .message = "Bedrock is unable to process your request.",
                       .http_status = 503});
}

absl::Status InternalServerError() {
  return ServiceError({.code = "InternalServerException",
                       .message = kUnexpected,
                       .http_status = 500});
}

}  // namespace byoshin::local::bedrock
