#include "local/apigateway/front.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/apigateway/address.h"
#include "local/apigateway/deadline.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/proxy.h"
#include "local/apigateway/request_validation.h"
#include "local/apigateway/service_integration.h"
#include "local/apigateway/shared_origin.h"

namespace byoshin::local::apigateway {
namespace {

constexpr absl::string_view kApiKeyHeader = "x-api-key";
constexpr int kBadGateway = 502;

GatewayError Forbidden() {
  return {.type = ResponseType::kInvalidApiKey, .message = "Forbidden"};
}

GatewayError BadRequestError(absl::string_view message) {
  return {.type = ResponseType::kBadRequestParameters,
          .message = std::string(message)};
}

GatewayError InternalError(std::string reason) {
  return {.type = ResponseType::kApiConfigurationError,
          .message = "Internal server error",
          .reason = std::move(reason)};
}

GatewayError NoSuchMethod(const absl::Status& status) {
  if (absl::IsUnimplemented(status)) {
    return {.type = ResponseType::kMissingAuthenticationToken,
            .message = "Missing Authentication Token"};
  }
  return Forbidden();
}

// The ARN with the stage's variables in place of ${stageVariables.name}.
std::string WithVariables(std::string arn, const Stage& stage) {
  for (const auto& [name, value] : stage.variables) {
    arn = absl::StrReplaceAll(
        arn, {{absl::StrCat("${stageVariables.", name, "}"), value}});
  }
  return arn;
}

absl::StatusOr<http::ServerResponse> FunctionResponse(
    const absl::StatusOr<FunctionInvoker::Result>& result,
    const Exchange& exchange) {
  if (!result.ok()) return result.status();
  if (result->failed) {
    return absl::InternalError(
        absl::StrCat("the function failed: ", result->payload));
  }
  const bool decodes = IsOfType(exchange.request.FindHeader("Accept"),
                                exchange.route.binary_media_types);
  return ProxyResponse(result->payload, decodes ? Base64Body::kDecode
                                                : Base64Body::kLeaveAsItIs);
}

}  // namespace

Front::Front(Registry& registry, Options options)
    : registry_(registry),
      options_(std::move(options)),
      alarms_(std::make_unique<time::Alarms>(options_.clock)),
      authorization_({.invoker = options_.invoker,
                      .tokens = options_.tokens,
                      .clock = options_.clock,
                      .alarms = *alarms_,
                      .gate = gate_}) {}

Front::~Front() {
  gate_->Close();
  alarms_.reset();
}

bool Front::Wants(const http::ServerRequest& request) {
  return IsForApiHost(request) || AddressOf(request).has_value();
}

void Front::Handle(const http::ServerRequest& request,
                   http::Responder respond) {
  auto exchange = std::make_shared<Exchange>(
      Exchange{.request = request, .respond = std::move(respond)});
  std::optional<Address> address = AddressOf(request);
  if (!address.has_value()) {
    return Refuse(exchange, BadRequestError("Bad Request"));
  }
  exchange->address = *std::move(address);
  if (exchange->address.on_shared_origin && IsForServiceWorker(request)) {
    return Refuse(exchange, Forbidden());
  }
  Begin(exchange);
}

void Front::Begin(const ExchangePointer& exchange) {
  const Address& address = exchange->address;
  RequestContext& context = exchange->context;
  context = {.account_id = options_.account_id,
             .api_id = address.api_id,
             .stage = address.stage,
             .domain_name = std::string(exchange->request.FindHeader("Host")),
             .request_id = options_.new_request_id(),
             .extended_request_id = options_.new_request_id(),
             .path = address.path,
             .time = options_.clock.Now()};
  absl::StatusOr<Route> route =
      registry_.Find(address, exchange->request.method);
  if (!route.ok()) {
    // A stage also logs requests for unknown paths.
    exchange->route = registry_.StageOf(address).value_or(Route());
    return Refuse(exchange, NoSuchMethod(route.status()));
  }
  context.binary_media_types = route->binary_media_types;
  context.resource_id = route->resource_id;
  context.resource_path = route->resource_path;
  context.path_parameters = route->path_parameters;
  context.stage_variables = route->stage.variables;
  exchange->route = *std::move(route);
  Authorize(exchange);
}

void Front::Authorize(const ExchangePointer& exchange) {
  const Route& route = exchange->route;
  const MethodAuthorization& wanted = route.method.authorization;
  if (wanted.type == MethodAuthorization::Type::kNone) {
    return CheckKeyAndLimits(exchange, "");
  }
  const RequestContext& context = exchange->context;
  const std::string method_arn =
      ApiArn(context, options_.region,
             absl::StrCat("/", context.stage, "/", exchange->request.method,
                          context.path));
  if (wanted.type == MethodAuthorization::Type::kIam) {
    return FinishAuthorization(
        exchange, options_.iam.Check(exchange->request, method_arn));
  }
  const auto authorizer = route.parts->authorizers.find(wanted.authorizer_id);
  if (authorizer == route.parts->authorizers.end()) {
    return Refuse(exchange,
                  {.type = ResponseType::kAuthorizerConfigurationError,
                   .reason = absl::StrCat("there is no authorizer ",
                                          wanted.authorizer_id)});
  }
  const ContextVariables variables = VariablesOf(*exchange);
  const RequestValues values{exchange->request, context, variables};
  authorization_.Check(
      {.authorizer = authorizer->second,
       .values = values,
       .deployment_id = route.deployment_id,
       .method_arn = method_arn,
       .authorizer_arn =
           ApiArn(context, options_.region,
                  absl::StrCat("/authorizers/", wanted.authorizer_id)),
       .scopes = wanted.scopes},
      [this, exchange](AuthorizationOutcome outcome) {
        FinishAuthorization(exchange, std::move(outcome));
      });
}

void Front::FinishAuthorization(const ExchangePointer& exchange,
                                AuthorizationOutcome outcome) {
  exchange->context.authorizer = std::move(outcome.caller);
  exchange->context.identity = std::move(outcome.identity);
  if (outcome.refusal.has_value()) {
    exchange->authorizer_error = outcome.refusal->reason;
    return Refuse(exchange, *std::move(outcome.refusal));
  }
  CheckKeyAndLimits(exchange, outcome.usage_key);
}

void Front::CheckKeyAndLimits(const ExchangePointer& exchange,
                              absl::string_view authorizers_key) {
  RequestContext& context = exchange->context;
  const Route& route = exchange->route;
  if (route.method.api_key_required) {
    const absl::string_view key =
        route.key_source == KeySource::kAuthorizer
            ? authorizers_key
            : exchange->request.FindHeader(kApiKeyHeader);
    absl::StatusOr<std::string> key_id =
        registry_.CheckKey(exchange->address, key);
    if (!key_id.ok()) return Refuse(exchange, Forbidden());
    context.api_key = std::string(key);
    context.api_key_id = *std::move(key_id);
  }
  const absl::Status allowed = registry_.Throttle(
      exchange->address, {route.resource_path, route.method.http_method},
      context.api_key_id, options_.clock.Now());
  if (!allowed.ok()) {
    return Refuse(exchange, {.type = ResponseType::kThrottled,
                             .message = "Too Many Requests"});
  }
  Validate(exchange);
}

void Front::Validate(const ExchangePointer& exchange) {
  const Route& route = exchange->route;
  const auto validator =
      route.parts->validators.find(route.method.validator_id);
  if (validator == route.parts->validators.end()) return Integrate(exchange);
  const ContextVariables variables;
  std::optional<GatewayError> error = ValidateRequest(
      route.method.rules, validator->second, *route.schemas,
      {exchange->request, exchange->context, variables}, schemas_);
  if (error.has_value()) return Refuse(exchange, *std::move(error));
  Integrate(exchange);
}

void Front::Integrate(const ExchangePointer& exchange) {
  if (exchange->route.method.mock.has_value()) return Mock(exchange);
  if (exchange->route.method.service.has_value()) return CallService(exchange);
  CallFunction(exchange);
}

template <typename Result>
std::function<void(Result)> Front::WithinTimeout(
    const ExchangePointer& exchange,
    void (Front::*finish)(const ExchangePointer&, const Result&)) {
  exchange->integration_began = options_.clock.Now();
  const auto measure = [this, exchange] {
    exchange->integration_latency =
        options_.clock.Now() - exchange->integration_began;
  };
  return Within<Result>(
      {options_.clock, *alarms_, gate_,
       exchange->integration_began + exchange->route.method.timeout},
      [this, exchange, measure, finish](const Result& result) {
        measure();
        (this->*finish)(exchange, result);
      },
      [this, exchange, measure] {
        measure();
        Refuse(exchange, {.type = ResponseType::kIntegrationTimeout,
                          .message = "Endpoint request timed out",
                          .reason = "the integration took too long"});
      });
}

void Front::CallFunction(const ExchangePointer& exchange) {
  const RequestContext& context = exchange->context;
  const Method& method = exchange->route.method;
  absl::StatusOr<std::string> event = ProxyEvent(exchange->request, context);
  if (!event.ok()) return Refuse(exchange, BadRequestError("Bad Request"));
  options_.invoker.InvokeForApi(
      {.function_arn =
           WithVariables(method.function_arn, exchange->route.stage),
       .payload = *std::move(event),
       .source_arn = ApiArn(
           context, options_.region,
           absl::StrCat("/", context.stage, "/", exchange->request.method,
                        context.resource_path)),
       .role_arn = method.function_role_arn},
      WithinTimeout(exchange, &Front::FinishFunction));
}

void Front::FinishFunction(
    const ExchangePointer& exchange,
    const absl::StatusOr<FunctionInvoker::Result>& result) {
  // A missing permission to call the function is an internal error of the API.
  if (absl::IsPermissionDenied(result.status())) {
    return Refuse(exchange,
                  InternalError(std::string(result.status().message())));
  }
  absl::StatusOr<http::ServerResponse> response =
      FunctionResponse(result, *exchange);
  if (response.ok()) return Reply(exchange, *std::move(response));
  // A function that fails or returns an invalid result is a bad gateway.
  Refuse(exchange, {.type = ResponseType::kIntegrationFailure,
                    .message = "Internal server error",
                    .status = kBadGateway,
                    .reason = std::string(response.status().message())});
}

void Front::CallService(const ExchangePointer& exchange) {
  const ServiceIntegration& service = *exchange->route.method.service;
  const ContextVariables variables = VariablesOf(*exchange);
  absl::StatusOr<std::string> body = IntegrationBody(
      service.mapping, {exchange->request, exchange->context, variables});
  if (absl::IsUnimplemented(body.status())) {
    return Refuse(exchange, {.type = ResponseType::kUnsupportedMediaType,
                             .message = "Unsupported Media Type"});
  }
  if (!body.ok())
    return Refuse(exchange, BadRequestError(body.status().message()));
  options_.call_service({.service = service.service,
                         .action = service.action,
                         .region = service.region,
                         .role_arn = service.role_arn,
                         .body = *std::move(body)},
                        WithinTimeout(exchange, &Front::FinishService));
}

void Front::FinishService(const ExchangePointer& exchange,
                          const absl::StatusOr<Answer>& answer) {
  if (!answer.ok()) {
    return Refuse(exchange,
                  InternalError(std::string(answer.status().message())));
  }
  const Method& method = exchange->route.method;
  const ContextVariables variables = VariablesOf(*exchange);
  absl::StatusOr<http::ServerResponse> response = MethodResponse(
      method.mock.has_value() ? *method.mock : method.service->mapping, *answer,
      {exchange->request, exchange->context, variables});
  if (!response.ok()) {
    return Refuse(exchange,
                  InternalError(std::string(response.status().message())));
  }
  Reply(exchange, *std::move(response));
}

void Front::Mock(const ExchangePointer& exchange) {
  const ContextVariables variables = VariablesOf(*exchange);
  absl::StatusOr<std::string> rendered =
      IntegrationBody(*exchange->route.method.mock,
                      {exchange->request, exchange->context, variables});
  if (absl::IsUnimplemented(rendered.status())) {
    return Refuse(exchange, {.type = ResponseType::kUnsupportedMediaType,
                             .message = "Unsupported Media Type"});
  }
  FinishService(exchange, rendered.ok()
                              ? MockAnswer(*rendered)
                              : absl::StatusOr<Answer>(rendered.status()));
}

void Front::Refuse(const ExchangePointer& exchange, GatewayError error) {
  exchange->error = std::move(error);
  if (exchange->authorizer_error.empty()) {
    exchange->integration_error = exchange->error->reason;
  }
  const ContextVariables variables = VariablesOf(*exchange);
  Reply(exchange, RenderGatewayResponse(
                      *exchange->error, exchange->route.parts->responses,
                      {exchange->request, exchange->context, variables}));
}

void Front::Reply(const ExchangePointer& exchange,
                  http::ServerResponse response) {
  const RequestContext& context = exchange->context;
  if (exchange->address.on_shared_origin) TakeOriginAway(response);
  if (!context.request_id.empty()) {
    response.headers.push_back({"x-amzn-RequestId", context.request_id});
    response.headers.push_back({"x-amz-apigw-id", context.extended_request_id});
  }
  const Stage& stage = exchange->route.stage;
  if (!stage.access_log_format.empty()) {
    options_.access_log(
        stage.access_log_group_arn,
        AccessLogLine(*exchange, response, options_.clock.Now()));
  }
  exchange->respond(std::move(response));
}

}  // namespace byoshin::local::apigateway
