#include "local/apigateway/gateway_response.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/json/text.h"
#include "local/apigateway/header_text.h"

namespace byoshin::local::apigateway {
namespace {

constexpr absl::string_view kErrorTypeHeader = "x-amzn-ErrorType";
constexpr absl::string_view kJsonType = "application/json";
constexpr int kFirstServerError = 500;

struct TypeFacts {
  ResponseType type;
  int status;
  absl::string_view name;
  // The value of x-amzn-ErrorType; empty if there is none.
  absl::string_view error;
};

constexpr TypeFacts kTypes[] = {
    {ResponseType::kAccessDenied, 403, "ACCESS_DENIED",
     "AccessDeniedException"},
    {ResponseType::kApiConfigurationError, 500, "API_CONFIGURATION_ERROR",
     "InternalServerErrorException"},
    {ResponseType::kAuthorizerConfigurationError, 500,
     "AUTHORIZER_CONFIGURATION_ERROR", "AuthorizerConfigurationException"},
    {ResponseType::kAuthorizerFailure, 500, "AUTHORIZER_FAILURE",
     "AuthorizerFailureException"},
    {ResponseType::kBadRequestBody, 400, "BAD_REQUEST_BODY",
     "BadRequestException"},
    {ResponseType::kBadRequestParameters, 400, "BAD_REQUEST_PARAMETERS",
     "BadRequestException"},
    {ResponseType::kExpiredToken, 403, "EXPIRED_TOKEN",
     "ExpiredTokenException"},
    {ResponseType::kIntegrationFailure, 504, "INTEGRATION_FAILURE",
     "InternalServerErrorException"},
    {ResponseType::kIntegrationTimeout, 504, "INTEGRATION_TIMEOUT",
     "InternalServerErrorException"},
    {ResponseType::kInvalidApiKey, 403, "INVALID_API_KEY",
     "ForbiddenException"},
    {ResponseType::kInvalidSignature, 403, "INVALID_SIGNATURE",
     "InvalidSignatureException"},
    {ResponseType::kMissingAuthenticationToken, 403,
     "MISSING_AUTHENTICATION_TOKEN", "MissingAuthenticationTokenException"},
    {ResponseType::kQuotaExceeded, 429, "QUOTA_EXCEEDED",
     "LimitExceededException"},
    {ResponseType::kRequestTooLarge, 413, "REQUEST_TOO_LARGE",
     "RequestTooLargeException"},
    {ResponseType::kResourceNotFound, 404, "RESOURCE_NOT_FOUND",
     "NotFoundException"},
    {ResponseType::kThrottled, 429, "THROTTLED", "TooManyRequestsException"},
    {ResponseType::kUnauthorized, 401, "UNAUTHORIZED", "UnauthorizedException"},
    {ResponseType::kUnsupportedMediaType, 415, "UNSUPPORTED_MEDIA_TYPE", ""},
    {ResponseType::kWafFiltered, 403, "WAF_FILTERED", "ForbiddenException"},
    {ResponseType::kDefault4xx, 0, "DEFAULT_4XX", ""},
    {ResponseType::kDefault5xx, 0, "DEFAULT_5XX", ""},
};

const TypeFacts& FactsOf(ResponseType type) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.type == type) return facts;
  }
  return kTypes[0];  // not reached: the table has all types
}

std::string MessageText(const std::optional<std::string>& message) {
  if (!message.has_value()) return "null";
  std::string quoted;
  json::AppendQuoted(*message, quoted);
  return quoted;
}

// The API's response for the error; null if it has none.
const GatewayResponse* FindDeclared(const GatewayResponses& responses,
                                    ResponseType type, int status) {
  const ResponseType fallback = status >= kFirstServerError
                                    ? ResponseType::kDefault5xx
                                    : ResponseType::kDefault4xx;
  for (const ResponseType candidate : {type, fallback}) {
    const auto found = responses.find(candidate);
    if (found != responses.end()) return &found->second;
  }
  return nullptr;
}

// The template for the client: of the type that it accepts, of JSON, or any.
const std::pair<const std::string, MappingTemplate>* ChooseTemplate(
    const GatewayResponse& declared, absl::string_view accept) {
  if (declared.templates.empty()) return nullptr;
  for (const auto& entry : declared.templates) {
    if (absl::StrContains(accept, entry.first)) return &entry;
  }
  const auto json = declared.templates.find(std::string(kJsonType));
  return json != declared.templates.end() ? &*json
                                          : &*declared.templates.begin();
}

void SetHeader(absl::string_view name, std::string value,
               std::vector<http::Header>& headers) {
  for (http::Header& header : headers) {
    if (!absl::EqualsIgnoreCase(header.name, name)) continue;
    header.value = std::move(value);
    return;
  }
  headers.push_back({std::string(name), std::move(value)});
}

}  // namespace

absl::string_view NameOf(ResponseType type) { return FactsOf(type).name; }

std::optional<ResponseType> ResponseTypeNamed(absl::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.name == name) return facts.type;
  }
  return std::nullopt;
}

std::vector<ResponseType> AllResponseTypes() {
  std::vector<ResponseType> types;
  for (const TypeFacts& facts : kTypes) types.push_back(facts.type);
  return types;
}

int DefaultStatusOf(ResponseType type) { return FactsOf(type).status; }

void AddErrorVariables(const GatewayError& error, ContextVariables& variables) {
  variables["error.message"] = error.message.value_or("");
  variables["error.messageString"] = MessageText(error.message);
  variables["error.responseType"] = std::string(NameOf(error.type));
  variables["error.validationErrorString"] = error.validation_error;
}

http::ServerResponse RenderGatewayResponse(const GatewayError& error,
                                           const GatewayResponses& responses,
                                           const RequestValues& values) {
  const TypeFacts& facts = FactsOf(error.type);
  http::ServerResponse response{
      .status = error.status != 0 ? error.status : facts.status,
      .headers = {{"Content-Type", std::string(kJsonType)}}};
  if (!facts.error.empty()) {
    response.headers.push_back(
        {std::string(kErrorTypeHeader), std::string(facts.error)});
  }
  // AWS capitalizes this one.
  response.body =
      absl::StrCat(error.type == ResponseType::kAccessDenied ? "{\"Message\":"
                                                             : "{\"message\":",
                   MessageText(error.message), "}");
  const GatewayResponse* const declared =
      FindDeclared(responses, error.type, response.status);
  if (declared == nullptr) return response;
  if (declared->status.has_value()) response.status = *declared->status;
  for (const auto& [name, source] : declared->headers) {
    std::optional<std::string> value = ValueOf(source, values);
    // A value of the client's must not add headers or a body.
    if (value.has_value() && IsHeaderValue(*value)) {
      SetHeader(name, *std::move(value), response.headers);
    }
  }
  const auto* const chosen =
      ChooseTemplate(*declared, values.request.FindHeader("Accept"));
  if (chosen == nullptr) return response;
  SetHeader("Content-Type", chosen->first, response.headers);
  response.body =
      chosen->second.Render({.body = values.request.body, .values = &values})
          .value_or("");
  return response;
}

}  // namespace byoshin::local::apigateway
