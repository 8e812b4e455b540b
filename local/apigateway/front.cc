#include "local/apigateway/front.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "core/json/text.h"
#include "local/apigateway/access_log.h"
#include "local/apigateway/service_integration.h"
#include "local/apigateway/shared_origin.h"

namespace byoshin::local::apigateway {
namespace {

constexpr absl::string_view kPathPrefix = "/restapis/";
constexpr absl::string_view kUserRequest = "_user_request_";
constexpr absl::string_view kHostLabel = ".execute-api.";
constexpr absl::string_view kApiKeyHeader = "x-api-key";
constexpr absl::string_view kErrorTypeHeader = "x-amzn-ErrorType";

// Percent-decoding as in a query, except that "+" is kept.
std::optional<std::string> Decode(absl::string_view path) {
  absl::StatusOr<std::vector<http::QueryParameter>> decoded =
      http::ParseQuery(absl::StrCat(
          "p=", absl::StrReplaceAll(path, {{"+", "%2B"}, {"&", "%26"}})));
  if (!decoded.ok() || decoded->size() != 1) return std::nullopt;
  return decoded->front().value;
}

http::ServerResponse Refusal(int status, absl::string_view type,
                             absl::string_view message) {
  http::ServerResponse response{
      .status = status,
      .headers = {{"Content-Type", "application/json"}},
      .body = "{\"message\":"};
  json::AppendQuoted(message, response.body);
  response.body += '}';
  if (!type.empty()) {
    response.headers.push_back(
        {std::string(kErrorTypeHeader), std::string(type)});
  }
  return response;
}

http::ServerResponse Refusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnimplemented:
      return Refusal(403, "MissingAuthenticationTokenException",
                     "Missing Authentication Token");
    case absl::StatusCode::kResourceExhausted:
      return Refusal(429, "TooManyRequestsException", "Too Many Requests");
    default:
      return Refusal(403, "ForbiddenException", "Forbidden");
  }
}

// The id of the API if the host is an API's own; empty for another host.
absl::string_view ApiIdOfHost(const http::ServerRequest& request) {
  const absl::string_view host = request.FindHeader("Host");
  const absl::string_view id = host.substr(0, host.find('.'));
  return absl::StartsWithIgnoreCase(host.substr(id.size()), kHostLabel)
             ? id
             : absl::string_view();
}

}  // namespace

std::optional<Address> AddressOf(const http::ServerRequest& request) {
  const absl::string_view host_id = ApiIdOfHost(request);
  std::string api_id;
  std::string stage;
  std::string rest;
  if (!host_id.empty()) {
    const std::vector<std::string> parts =
        absl::StrSplit(request.path, absl::MaxSplits('/', 2));
    api_id = std::string(host_id);
    if (parts.size() > 1) stage = parts[1];
    if (parts.size() > 2) rest = parts[2];
  } else if (absl::StartsWith(request.path, kPathPrefix)) {
    const std::vector<std::string> parts = absl::StrSplit(
        absl::StripPrefix(request.path, kPathPrefix), absl::MaxSplits('/', 3));
    if (parts.size() < 3 || parts[2] != kUserRequest) return std::nullopt;
    api_id = parts[0];
    stage = parts[1];
    if (parts.size() > 3) rest = parts[3];
  } else {
    return std::nullopt;
  }
  const std::optional<std::string> path = Decode(rest);
  if (!path.has_value()) return std::nullopt;
  return Address{.api_id = std::move(api_id),
                 .stage = std::move(stage),
                 .path = absl::StrCat("/", *path),
                 .on_shared_origin = host_id.empty()};
}

std::string StageUrl(absl::string_view endpoint, absl::string_view api_id,
                     absl::string_view stage) {
  return absl::StrCat(endpoint, kPathPrefix, api_id, "/", stage, "/",
                      kUserRequest);
}

// A request in progress.
struct Front::Exchange {
  http::Responder respond;
  Route route{};
  RequestContext context{};
  std::string http_method{};
  std::string source_ip{};
  std::string user_agent{};
  std::string accept{};
  std::string integration_error{};
  absl::Duration integration_latency = absl::ZeroDuration();
  bool on_shared_origin = false;
};

Front::Front(Registry& registry, Options options)
    : registry_(registry), options_(std::move(options)) {}

bool Front::Wants(const http::ServerRequest& request) {
  return !ApiIdOfHost(request).empty() || AddressOf(request).has_value();
}

void Front::Handle(const http::ServerRequest& request,
                   http::Responder respond) {
  const std::optional<Address> found = AddressOf(request);
  if (!found.has_value()) {
    return respond(Refusal(400, "BadRequestException", "Bad Request"));
  }
  const Address& address = *found;
  if (address.on_shared_origin && IsForServiceWorker(request)) {
    return respond(Refusal(403, "ForbiddenException", "Forbidden"));
  }
  auto exchange = std::make_shared<Exchange>(
      Exchange{.respond = std::move(respond),
               .http_method = request.method,
               .source_ip = SourceIp(request.remote),
               .user_agent = std::string(request.FindHeader("User-Agent")),
               .accept = std::string(request.FindHeader("Accept")),
               .on_shared_origin = address.on_shared_origin});
  RequestContext& context = exchange->context;
  context = {.account_id = options_.account_id,
             .api_id = address.api_id,
             .stage = address.stage,
             .domain_name = std::string(request.FindHeader("Host")),
             .request_id = options_.new_request_id(),
             .extended_request_id = options_.new_request_id(),
             .path = address.path,
             .time = options_.clock.Now()};

  absl::StatusOr<Route> route = registry_.Find(address, request.method);
  if (!route.ok()) {
    // A stage also logs requests for unknown paths.
    exchange->route.stage = registry_.StageOf(address).value_or(Stage());
    return Reply(exchange, Refusal(route.status()));
  }
  context.binary_media_types = route->binary_media_types;
  context.resource_id = route->resource_id;
  context.resource_path = route->resource_path;
  context.path_parameters = route->path_parameters;
  exchange->route = *std::move(route);

  if (exchange->route.method.api_key_required) {
    const absl::string_view key = request.FindHeader(kApiKeyHeader);
    absl::StatusOr<std::string> key_id = registry_.CheckKey(address, key);
    if (!key_id.ok()) return Reply(exchange, Refusal(key_id.status()));
    context.api_key = std::string(key);
    context.api_key_id = *std::move(key_id);
  }
  const absl::Status allowed =
      registry_.Throttle(address, context.api_key_id, context.time);
  if (!allowed.ok()) return Reply(exchange, Refusal(allowed));
  if (exchange->route.method.service.has_value()) {
    return CallService(request, exchange);
  }
  Invoke(request, exchange);
}

void Front::Invoke(const http::ServerRequest& request,
                   const ExchangePointer& exchange) {
  const RequestContext& context = exchange->context;
  absl::StatusOr<std::string> event = ProxyEvent(request, context);
  if (!event.ok()) {
    return Reply(exchange, Refusal(400, "BadRequestException", "Bad Request"));
  }
  options_.invoker.InvokeForApi(
      {.function_arn = exchange->route.method.function_arn,
       .payload = *std::move(event),
       .source_arn = absl::StrCat("arn:aws:execute-api:", options_.region, ":",
                                  context.account_id, ":", context.api_id, "/",
                                  context.stage, "/", request.method,
                                  context.resource_path)},
      [this, exchange](absl::StatusOr<std::string> result) {
        Finish(exchange, std::move(result));
      });
}

void Front::Finish(const ExchangePointer& exchange,
                   absl::StatusOr<std::string> result) {
  if (ReplyIfLate(exchange)) return;
  const Base64Body base64 =
      IsOfType(exchange->accept, exchange->route.binary_media_types)
          ? Base64Body::kDecode
          : Base64Body::kLeaveAsItIs;
  absl::StatusOr<http::ServerResponse> response =
      result.ok() ? ProxyResponse(*result, base64)
                  : absl::StatusOr<http::ServerResponse>(result.status());
  if (!response.ok()) {
    exchange->integration_error = std::string(response.status().message());
    // A missing permission to call the function is an internal error of the
    // API; a function that fails or returns an invalid result is a bad gateway.
    const bool may_not = absl::IsPermissionDenied(response.status());
    return Reply(exchange,
                 Refusal(may_not ? 500 : 502, "InternalServerErrorException",
                         "Internal server error"));
  }
  Reply(exchange, *std::move(response));
}

bool Front::ReplyIfLate(const ExchangePointer& exchange) {
  exchange->integration_latency = options_.clock.Now() - exchange->context.time;
  if (exchange->integration_latency <= kIntegrationTimeout) return false;
  exchange->integration_error = "the integration took too long";
  Reply(exchange, Refusal(504, "InternalServerErrorException",
                          "Endpoint request timed out"));
  return true;
}

void Front::CallService(const http::ServerRequest& request,
                        const ExchangePointer& exchange) {
  const ServiceIntegration& service = *exchange->route.method.service;
  absl::StatusOr<std::string> body = IntegrationBody(service, request);
  if (absl::IsUnimplemented(body.status())) {
    return Reply(exchange, Refusal(415, "", "Unsupported Media Type"));
  }
  if (!body.ok()) {
    return Reply(exchange,
                 Refusal(400, "BadRequestException", body.status().message()));
  }
  options_.call_service({.service = service.service,
                         .action = service.action,
                         .region = service.region,
                         .role_arn = service.role_arn,
                         .body = *std::move(body)},
                        [this, exchange](absl::StatusOr<Answer> answer) {
                          FinishService(exchange, std::move(answer));
                        });
}

void Front::FinishService(const ExchangePointer& exchange,
                          absl::StatusOr<Answer> answer) {
  if (ReplyIfLate(exchange)) return;
  absl::StatusOr<http::ServerResponse> response =
      answer.ok() ? MethodResponse(*exchange->route.method.service, *answer)
                  : absl::StatusOr<http::ServerResponse>(answer.status());
  if (!response.ok()) {
    exchange->integration_error = std::string(response.status().message());
    return Reply(exchange, Refusal(500, "InternalServerErrorException",
                                   "Internal server error"));
  }
  Reply(exchange, *std::move(response));
}

void Front::Reply(const ExchangePointer& exchange,
                  http::ServerResponse response) {
  const RequestContext& context = exchange->context;
  if (exchange->on_shared_origin) TakeOriginAway(response);
  response.headers.push_back({"x-amzn-RequestId", context.request_id});
  response.headers.push_back({"x-amz-apigw-id", context.extended_request_id});
  const Stage& stage = exchange->route.stage;
  if (!stage.access_log_format.empty()) {
    const auto millis = [](absl::Duration duration) {
      return absl::StrCat(absl::ToInt64Milliseconds(duration));
    };
    options_.access_log(
        stage.access_log_group_arn,
        FormatAccessLog(
            stage.access_log_format,
            {{"requestId", context.request_id},
             {"extendedRequestId", context.extended_request_id},
             {"requestTime", FormatRequestTime(context.time)},
             {"requestTimeEpoch",
              absl::StrCat(absl::ToUnixMillis(context.time))},
             {"httpMethod", exchange->http_method},
             {"path", absl::StrCat("/", context.stage, context.path)},
             {"resourcePath", context.resource_path},
             {"stage", context.stage},
             {"apiId", context.api_id},
             {"accountId", context.account_id},
             {"domainName", context.domain_name},
             {"protocol", "HTTP/1.1"},
             {"status", absl::StrCat(response.status)},
             {"responseLength", absl::StrCat(response.body.size())},
             {"responseLatency", millis(options_.clock.Now() - context.time)},
             {"integrationLatency", millis(exchange->integration_latency)},
             {"integrationErrorMessage", exchange->integration_error},
             {"identity.sourceIp", exchange->source_ip},
             {"identity.userAgent", exchange->user_agent},
             {"identity.apiKeyId", context.api_key_id}}));
  }
  exchange->respond(std::move(response));
}

}  // namespace byoshin::local::apigateway
