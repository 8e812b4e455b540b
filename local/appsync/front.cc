#include "local/appsync/front.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/async/gate.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/json/data.h"
#include "core/time/alarms.h"
#include "core/time/clock.h"
#include "local/appsync/address.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/request_execution.h"

namespace byoshin::local::appsync {
namespace {

constexpr char kJsonType[] = "application/json;charset=UTF-8";
constexpr char kMaxAge[] = "172800";
constexpr int kMethodNotAllowed = 405;
constexpr int kForbiddenStatus = 403;

// As AppSync's: any page may read the answers.
void AddPageHeaders(http::ServerResponse& response,
                    const std::string& request_id) {
  response.headers.push_back({"Access-Control-Allow-Origin", "*"});
  response.headers.push_back(
      {"Access-Control-Expose-Headers",
       "x-amzn-RequestId,x-amzn-ErrorType,x-amz-user-agent,x-amzn-"
       "ErrorMessage,Date,x-amz-schema-version"});
  response.headers.push_back({"x-amzn-RequestId", request_id});
  // Keeps browsers from treating an answer as a page.
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
}

bool HasHeader(absl::Span<const http::Header> headers, absl::string_view name) {
  return std::any_of(headers.begin(), headers.end(),
                     [name](const http::Header& header) {
                       return absl::EqualsIgnoreCase(header.name, name);
                     });
}

http::ServerResponse PreflightResponse(const http::ServerRequest& request,
                                       const std::string& request_id) {
  http::ServerResponse response;
  AddPageHeaders(response, request_id);
  const absl::string_view wanted =
      request.FindHeader("Access-Control-Request-Headers");
  response.headers.push_back({"Access-Control-Allow-Headers",
                              wanted.empty()
                                  ? "content-type,x-api-key,x-amz-user-agent"
                                  : std::string(wanted)});
  response.headers.push_back(
      {"Access-Control-Allow-Methods", "GET,OPTIONS,POST"});
  response.headers.push_back({"Access-Control-Max-Age", kMaxAge});
  return response;
}

}  // namespace

// A request that is being answered.
struct Front::Exchange {
  Exchange(http::ServerRequest request, http::Responder respond)
      : request(std::move(request)), respond(std::move(respond)) {}

  const http::ServerRequest request;
  const http::Responder respond;
  std::string request_id{};
  std::shared_ptr<const ApiState> state{};
  OperationText text{};
  std::atomic<bool> answered = false;
  // 0 if it does not wait.
  std::atomic<time::Alarms::Id> timeout = 0;

  void Reply(int status, std::string body,
             std::vector<http::Header> headers = {}) {
    if (answered.exchange(true)) return;
    http::ServerResponse response{.status = status,
                                  .headers = {{"Content-Type", kJsonType}},
                                  .body = std::move(body)};
    AddPageHeaders(response, request_id);
    const std::size_t own = response.headers.size();
    for (http::Header& header : headers) {
      if (!HasHeader({response.headers.data(), own}, header.name)) {
        response.headers.push_back(std::move(header));
      }
    }
    respond(std::move(response));
  }
  void Refuse(const RequestRefusal& refusal) {
    Reply(refusal.status, refusal.body);
  }
  void Refuse(int status, absl::string_view type, absl::string_view message) {
    Refuse(RefuseWith(status, type, message));
  }
};

Front::Front(World world)
    : world_(std::move(world)),
      alarms_(std::make_unique<time::Alarms>(world_.clock)) {}

Front::~Front() { alarms_.reset(); }

bool Front::Wants(const http::ServerRequest& request) {
  return EndpointOf(request).has_value();
}

bool Front::IsOpenToPages(const http::ServerRequest& request) {
  return Wants(request) &&
         !absl::StartsWith(request.FindHeader("Authorization"), "AWS4-") &&
         !absl::StrContains(request.query, "X-Amz-Signature=");
}

void Front::Handle(const http::ServerRequest& request,
                   const http::Responder& respond) {
  const EndpointAddress address = *EndpointOf(request);
  const auto exchange = std::make_shared<Exchange>(request, respond);
  exchange->request_id = world_.new_request_id();
  if (http::WantsWebSocket(request)) {
    if (!address.realtime) {
      return exchange->Refuse(400, "BadRequestException",
                              "WebSockets are accepted at /graphql/realtime.");
    }
    return world_.realtime.Accept(
        request, respond,
        {.api_id = address.api_id, .endpoint_path = address.endpoint_path});
  }
  // https://w3c.github.io/ServiceWorker/#service-worker-script-request
  if (!request.FindHeader("Service-Worker").empty()) {
    return exchange->Refuse(kForbiddenStatus, "UnauthorizedException",
                            "There are no service workers here.");
  }
  if (request.method == "OPTIONS") {
    return respond(PreflightResponse(request, exchange->request_id));
  }
  if (request.method != "POST" && request.method != "GET") {
    return exchange->Refuse(kMethodNotAllowed, "MalformedHttpRequestException",
                            "Requests are sent by POST or GET.");
  }
  exchange->state = world_.find_api(address.api_id);
  // AppSync does not tell which APIs there are.
  if (exchange->state == nullptr || address.realtime) {
    const AuthRefusal refusal;
    return exchange->Refuse(refusal.status, refusal.error_type,
                            refusal.message);
  }
  std::variant<OperationText, RequestRefusal> text =
      request.method == "GET" ? ParseOperationQuery(request.query)
                              : ParseOperation(request.body);
  // Credentials come first, whatever the body is.
  std::optional<RequestRefusal> malformed;
  if (auto* refusal = std::get_if<RequestRefusal>(&text)) {
    malformed = std::move(*refusal);
  } else {
    exchange->text = std::get<OperationText>(std::move(text));
  }
  const Authentication::Operation operation{
      .request_id = exchange->request_id,
      .query = exchange->text.query,
      .name = exchange->text.name,
      .variables = exchange->text.variables};
  const time::Hold hold(world_.clock);
  world_.authentication.Check(
      *exchange->state, {.http = request, .operation = operation},
      [this, exchange, malformed = std::move(malformed),
       gate = world_.gate](const Authentication::Outcome& outcome) {
        const async::Gate::Pass pass(*gate);
        if (!pass.granted()) return;
        if (malformed.has_value() &&
            std::holds_alternative<CallerPointer>(outcome)) {
          return exchange->Refuse(*malformed);
        }
        Authorized(exchange, outcome);
      });
}

void Front::Authorized(const ExchangePointer& exchange,
                       const Authentication::Outcome& outcome) {
  if (const auto* refusal = std::get_if<AuthRefusal>(&outcome)) {
    return exchange->Refuse(refusal->status, refusal->error_type,
                            refusal->message);
  }
  std::variant<PreparedOperation, RequestRefusal> prepared =
      world_.operations.Prepare(exchange->state, std::move(exchange->text));
  if (const auto* refusal = std::get_if<RequestRefusal>(&prepared)) {
    return exchange->Refuse(*refusal);
  }
  const auto operation = std::make_shared<const PreparedOperation>(
      std::get<PreparedOperation>(std::move(prepared)));
  if (operation->operation->type == graphql::OperationType::kSubscription) {
    return exchange->Refuse(
        400, "BadRequestException",
        "Subscriptions are served by the real-time endpoint.");
  }
  const http::ServerRequest& request = exchange->request;
  world_.operations.Execute(
      *operation, std::get<CallerPointer>(outcome),
      {.request_id = exchange->request_id,
       .headers = HeadersData(request),
       .source_ip = request.remote.substr(0, request.remote.rfind(':'))},
      [this, exchange, operation](RequestOutcome done) {
        Executed(exchange, *operation, std::move(done));
      });
  if (exchange->answered) return;
  // It waits for data sources.
  exchange->timeout =
      alarms_->Set(world_.clock.Now() + kRequestTimeout, [exchange] {
        exchange->Refuse(200, "ExecutionTimeout", "Execution timed out.");
      });
  if (exchange->answered) alarms_->Cancel(exchange->timeout);
}

void Front::Executed(const ExchangePointer& exchange,
                     const PreparedOperation& prepared,
                     RequestOutcome outcome) {
  if (prepared.operation->type == graphql::OperationType::kMutation) {
    outcome.trace.deliveries = world_.realtime.Publish(*prepared.api, outcome);
  }
  world_.traces.Add(std::move(outcome.trace));
  exchange->Reply(200, outcome.result.ToJson(),
                  std::move(outcome.effects.response_headers));
  const time::Alarms::Id timeout = exchange->timeout;
  if (timeout != 0) alarms_->Cancel(timeout);
}

}  // namespace byoshin::local::appsync
