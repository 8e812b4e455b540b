// Answers that API Gateway gives by itself, and how an API customizes them.
//
//   http::ServerResponse response = RenderGatewayResponse(
//       {.type = ResponseType::kUnauthorized, .message = "Unauthorized"},
//       api_responses, values);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gatewayResponse-definition.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_GATEWAY_RESPONSE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_GATEWAY_RESPONSE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/parameter_source.h"

namespace byoshin::local::apigateway {

// https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
enum class ResponseType {
  kAccessDenied,
  kApiConfigurationError,
  kAuthorizerConfigurationError,
  kAuthorizerFailure,
  kBadRequestBody,
  kBadRequestParameters,
  kExpiredToken,
  kIntegrationFailure,
  kIntegrationTimeout,
  kInvalidApiKey,
  kInvalidSignature,
  kMissingAuthenticationToken,
  kQuotaExceeded,
  kRequestTooLarge,
  kResourceNotFound,
  kThrottled,
  kUnauthorized,
  kUnsupportedMediaType,
  kWafFiltered,
  // Apply to those that have no response of their own.
  kDefault4xx,
  kDefault5xx,
};

// "ACCESS_DENIED".
absl::string_view NameOf(ResponseType type);
// nullopt if there is no such type.
std::optional<ResponseType> ResponseTypeNamed(absl::string_view name);
std::vector<ResponseType> AllResponseTypes();
// 0 for the defaults, which have none.
int DefaultStatusOf(ResponseType type);

// Why a request is not answered by its integration.
struct GatewayError {
  ResponseType type = ResponseType::kDefault5xx;
  // nullopt is written as null.
  std::optional<std::string> message{};
  // $context.error.validationErrorString
  std::string validation_error{};
  // 0 for the default one of the type.
  int status = 0;
  // For logs; empty if there is nothing to add.
  std::string reason{};
};

// A response that the API declares.
struct GatewayResponse {
  ResponseType type = ResponseType::kDefault5xx;
  std::optional<int> status{};
  std::map<std::string, ParameterSource> headers{};  // by name
  // By content type. Without one: {"message":$context.error.messageString}.
  std::map<std::string, MappingTemplate> templates{};
};

using GatewayResponses = std::map<ResponseType, GatewayResponse>;

// Adds error.message, error.messageString, error.responseType and
// error.validationErrorString.
void AddErrorVariables(const GatewayError& error, ContextVariables& variables);

// `values` has the error's variables.
http::ServerResponse RenderGatewayResponse(const GatewayError& error,
                                           const GatewayResponses& responses,
                                           const RequestValues& values);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_GATEWAY_RESPONSE_H_
