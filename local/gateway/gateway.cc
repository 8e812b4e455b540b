#include "local/gateway/gateway.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/async/gate.h"
#include "core/host/open_files.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/json/text.h"
#include "core/time/clock.h"
#include "local/gateway/authenticator.h"
#include "local/gateway/caller_waits.h"
#include "local/gateway/compression.h"
#include "local/gateway/cors.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/early_requests.h"
#include "local/gateway/error.h"
#include "local/gateway/exchange.h"
#include "local/gateway/guard.h"
#include "local/gateway/route.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/gateway/signature_claim.h"

namespace byoshin::local {
namespace {

constexpr int kForbidden = 403;

struct Bound {
  Service* service;
  const ServiceTraits* traits;
};

std::string HealthText(const std::vector<Bound>& services) {
  std::string text = "{\"services\":[";
  for (const Bound& bound : services) {
    if (text.back() != '[') text += ",";
    json::AppendQuoted(bound.traits->name, text);
  }
  return text + "],\"status\":\"ok\"}";
}

std::string NamesOf(const std::vector<Bound>& services) {
  return absl::StrJoin(services, ", ",
                       [](std::string* out, const Bound& bound) {
                         absl::StrAppend(out, bound.traits->name);
                       });
}

constexpr char kPlainJsonType[] = "application/json";

absl::string_view TypeOf(const http::ServerRequest& request) {
  const absl::string_view header = request.FindHeader("Content-Type");
  return absl::StripAsciiWhitespace(header.substr(0, header.find(';')));
}

bool HasJsonType(const http::ServerRequest& request) {
  const absl::string_view type = TypeOf(request);
  return absl::EqualsIgnoreCase(type, kJson10ContentType) ||
         absl::EqualsIgnoreCase(type, kJson11ContentType) ||
         absl::EqualsIgnoreCase(type, kPlainJsonType);
}

bool HasDynamoDbFrontEnd(const Bound* bound) {
  return bound != nullptr && bound->traits->front_end == FrontEnd::kDynamoDb;
}

ContentCoding CodingFor(const http::ServerRequest& request,
                        const Bound* bound) {
  return HasDynamoDbFrontEnd(bound)
             ? ChooseCoding(request.FindHeader("Accept-Encoding"))
             : ContentCoding::kIdentity;
}

std::string ContentTypeFor(const http::ServerRequest& request,
                           const Bound* bound) {
  return HasDynamoDbFrontEnd(bound) &&
                 absl::EqualsIgnoreCase(TypeOf(request), kPlainJsonType)
             ? kPlainJsonType
             : "";
}

// The body without Content-Encoding. The signature is of the encoded one.
absl::StatusOr<std::string> DecodedBody(const http::ServerRequest& request,
                                        const Bound* bound) {
  const absl::string_view coding = request.FindHeader("Content-Encoding");
  if (!HasDynamoDbFrontEnd(bound) || coding.empty() ||
      absl::EqualsIgnoreCase(coding, "identity")) {
    return request.body;
  }
  absl::StatusOr<std::string> body =
      absl::EqualsIgnoreCase(coding, CodingName(ContentCoding::kGzip))
          ? Gunzip(request.body, kMaxBodyBytes)
          : absl::InvalidArgumentError("an unknown coding");
  if (body.ok()) return body;
  if (absl::IsResourceExhausted(body.status())) {
    return ServiceError({.code = "RequestEntityTooLargeException",
                         .message = "The decompressed request is too large.",
                         .http_status = 413});
  }
  // AWS's answer, though the client is at fault.
  return ServiceError(
      {.code = "InternalServerError",
       .message = "The request can't be decompressed: its Content-Encoding "
                  "must be gzip, and so must be its body.",
       .http_status = 500});
}

absl::Status UnknownOperation(absl::string_view message, int http_status) {
  return ServiceError({.code = "UnknownOperationException",
                       .query_code = "InvalidAction",
                       .message = std::string(message),
                       .http_status = http_status});
}

absl::Status UnknownService(absl::string_view message) {
  return ServiceError(
      {.code = "UnknownService", .message = std::string(message)});
}

// Services whose operations are named by method and path, like those with
// REST-JSON, but whose clients read XML.
constexpr absl::string_view kRestXmlServices[] = {
    "cloudfront",       "route53",     "s3",
    "s3-object-lambda", "s3-outposts", "s3express"};

// The protocol that clients of a service that is not here speak.
WireProtocol ProtocolOfAbsent(const http::ServerRequest& request,
                              const Route& route) {
  if (route.protocol != WireProtocol::kQuery || !route.operation.empty()) {
    return route.protocol;
  }
  const std::string service = ClaimedService(request);
  return service.empty() || absl::c_linear_search(kRestXmlServices, service)
             ? WireProtocol::kQuery
             : WireProtocol::kRestJson;
}

// Whether it is meant for a service, so that the client understands the
// service's errors.
bool IsAwsCall(const http::ServerRequest& request) {
  return !request.FindHeader("Authorization").empty() ||
         !request.FindHeader("X-Amz-Target").empty() ||
         absl::StrContains(request.query, "X-Amz-");
}

absl::Status Refused(const std::string& why) {
  return ServiceError({.code = "AccessDeniedException",
                       .query_code = "AccessDenied",
                       .message = why,
                       .http_status = kForbidden});
}

http::ServerResponse RefusalAnswer(absl::string_view why) {
  http::ServerResponse answer{
      .status = kForbidden,
      .headers = {{"Content-Type", "application/json"},
                  {"Cross-Origin-Resource-Policy", "same-origin"}},
      .body = "{\"error\":"};
  json::AppendQuoted(why, answer.body);
  answer.body += "}";
  return answer;
}

// Whether the request needs no signature and has none.
bool IsUnsignedCall(const http::ServerRequest& request, const Route& route,
                    const Bound* bound) {
  return bound != nullptr && bound->traits->takes_unsigned != nullptr &&
         route.protocol == WireProtocol::kJson10 &&
         bound->traits->takes_unsigned(route.operation) &&
         request.FindHeader("Authorization").empty() &&
         !absl::StrContains(request.query, "X-Amz-");
}

// "http://127.0.0.1:4566", from the Host header; nullopt if it is not a host.
std::optional<std::string> EndpointOf(const http::ServerRequest& request) {
  const absl::StatusOr<http::Url> url =
      http::ParseUrl(absl::StrCat("http://", request.FindHeader("Host"), "/"));
  if (!url.ok() || url->path != "/") return std::nullopt;
  return http::Origin(*url);
}

class HttpGateway final : public Gateway {
 public:
  HttpGateway(const GatewayOptions& options, std::vector<Bound> services,
              const CredentialSet& credentials, time::Clock& clock)
      : guard_({.address = options.address,
                .allowed_origins = options.allowed_origins,
                .allowed_hosts = options.allowed_hosts}),
        take_other_(options.take_other),
        open_to_pages_(options.open_to_pages),
        is_needed_early_(options.is_needed_early),
        on_request_(options.on_request == nullptr
                        ? nullptr
                        : std::make_shared<const Exchange::OnRequest>(
                              options.on_request)),
        waits_(options.waits),
        services_(std::move(services)),
        health_(HealthText(services_)),
        signing_clock_(
            options.signing_clock == nullptr ? clock : *options.signing_clock),
        clock_(clock),
        authenticator_(credentials, signing_clock_) {}
  ~HttpGateway() override { Stop(); }

  absl::Status Listen(const GatewayOptions& options);

  std::uint16_t port() const override { return server_->port(); }
  std::string url() const override { return server_->url(); }
  int connections() const override { return server_->connections(); }
  void HandleEarly() override {
    early_.Handle(
        [this](const http::ServerRequest& request, http::Responder respond) {
          Handle(request, std::move(respond));
        });
  }
  void BeginStop(absl::Duration limit) override {
    early_.Refuse();
    // Long polls take longer; they end with Stop().
    outside_->CloseWithin(limit);
  }
  void Stop() override {
    if (server_ == nullptr) return;
    early_.Refuse();
    for (const Bound& bound : services_) bound.service->EndLongPolls();
    server_->Stop();
  }

 private:
  // A request from outside, until it is answered.
  struct Outside {
    explicit Outside(std::shared_ptr<async::Gate> shared)
        : gate(std::move(shared)), pass(*gate) {}
    const std::shared_ptr<async::Gate> gate;
    const async::Gate::Pass pass;
  };

  void Receive(const http::ServerRequest& request, http::Responder respond);
  // Whether the request is handled even while the cloud starts or stops.
  static bool IsAlwaysNeeded(const http::ServerRequest& request);
  // Whether the request must not wait until everything is deployed.
  bool IsNeededEarly(const http::ServerRequest& request) const;
  void Handle(const http::ServerRequest& request, http::Responder respond);
  // Answers a request that is not for a service and returns true, or returns
  // false.
  bool AnswerOther(const http::ServerRequest& request,
                   const Guard::Verdict& verdict,
                   const http::Responder& respond) const;
  http::ServerResponse HealthAnswer(const http::ServerRequest& request) const;
  const Bound* FindBound(const http::ServerRequest& request,
                         const Route& route) const;
  // OK if one of the services can answer `request`.
  absl::Status CheckForm(const http::ServerRequest& request, const Route& route,
                         const Bound* bound) const;
  absl::StatusOr<Call> MakeCall(const http::ServerRequest& request,
                                const Route& route, const Bound* bound) const;

  const Guard guard_;
  const std::function<bool(const http::ServerRequest&, const http::Responder&)>
      take_other_;
  const std::function<bool(const http::ServerRequest&)> open_to_pages_;
  const std::function<bool(const http::ServerRequest&)> is_needed_early_;
  const std::shared_ptr<const Exchange::OnRequest> on_request_;
  const std::shared_ptr<CallerWaits> waits_;
  const std::vector<Bound> services_;
  const std::string health_;
  const time::Clock& signing_clock_;
  time::Clock& clock_;
  const Authenticator authenticator_;
  EarlyRequests early_;
  const std::shared_ptr<async::Gate> outside_ = std::make_shared<async::Gate>();
  // Last: its threads use all of the above.
  std::unique_ptr<http::Server> server_;
};

absl::Status HttpGateway::Listen(const GatewayOptions& options) {
  absl::StatusOr<std::unique_ptr<http::Server>> server = http::Server::Start(
      {.address = options.address,
       .port = options.port,
       .threads = options.threads,
       .max_connections = host::ConnectionsWithinLimit(options.max_connections),
       .max_header_bytes = kMaxHeaderBytes,
       .max_body_bytes = kMaxBodyBytes,
       .idle_timeout = options.timeouts.between_requests,
       .header_timeout = options.timeouts.to_send_header,
       .body_timeout = options.timeouts.to_send_body,
       .write_timeout = options.timeouts.to_take_answer,
       .drain_timeout = options.drain_timeout,
       .on_accept_error = options.on_accept_error,
       // SDKs set their signing clock by it.
       .clock = &signing_clock_},
      [this](const http::ServerRequest& request, http::Responder respond) {
        Receive(request, std::move(respond));
      });
  if (!server.ok()) return server.status();
  server_ = *std::move(server);
  return absl::OkStatus();
}

void HttpGateway::Receive(const http::ServerRequest& request,
                          http::Responder respond) {
  if (!IsAlwaysNeeded(request)) {
    auto outside = std::make_shared<Outside>(outside_);
    if (!outside->pass.granted()) return respond(Unavailable());
    respond = respond.Keeping(std::move(outside));
  }
  if (!IsNeededEarly(request) && early_.Hold(request, respond)) return;
  Handle(request, std::move(respond));
}

bool HttpGateway::IsAlwaysNeeded(const http::ServerRequest& request) {
  return request.path == kHealthPath ||
         !request.FindHeader(kSessionTokenName).empty();
}

bool HttpGateway::IsNeededEarly(const http::ServerRequest& request) const {
  return is_needed_early_ == nullptr || IsAlwaysNeeded(request) ||
         is_needed_early_(request);
}

const Bound* HttpGateway::FindBound(const http::ServerRequest& request,
                                    const Route& route) const {
  const bool by_target = route.protocol == WireProtocol::kJson10;
  const std::string claimed = by_target ? "" : ClaimedService(request);
  for (const Bound& bound : services_) {
    if (by_target ? bound.traits->target_prefix == route.prefix
                  : bound.traits->name == claimed) {
      return &bound;
    }
  }
  return nullptr;
}

void HttpGateway::Handle(const http::ServerRequest& request,
                         http::Responder respond) {
  const Guard::Verdict verdict = guard_.Judge(request);
  if (AnswerOther(request, verdict, respond)) return;
  Route route = FindRoute(request);
  const Bound* bound = FindBound(request, route);
  // A request in a protocol that the service does not speak is answered in one
  // that it does.
  if (bound == nullptr) {
    route.protocol = ProtocolOfAbsent(request, route);
  } else if (bound->traits->speaks_rest) {
    route.protocol = WireProtocol::kRestJson;
  } else if (*bound->traits->xml_namespace == 0) {
    route.protocol = WireProtocol::kJson10;
  }
  const auto exchange = std::make_shared<Exchange>(Exchange::Start{
      .respond = std::move(respond),
      .traits = bound == nullptr ? nullptr : bound->traits,
      .protocol = route.protocol,
      .record = {.remote = request.remote,
                 .service =
                     bound == nullptr ? "" : std::string(bound->traits->name),
                 .operation = route.operation,
                 .request_bytes = request.body.size()},
      .allowed_origin = verdict.allowed_origin,
      .coding = CodingFor(request, bound),
      .content_type = ContentTypeFor(request, bound),
      .clock = clock_,
      .on_request = on_request_,
      .waits = waits_});
  if (!verdict.refusal.empty()) {
    return exchange->SendError(Refused(verdict.refusal));
  }
  absl::StatusOr<Call> call = MakeCall(request, route, bound);
  if (!call.ok()) return exchange->SendError(call.status());
  exchange->SetCaller(call->caller.access_key_id);
  call->request_id = exchange->request_id();
  call->connected = [exchange] { return exchange->connected(); };
  call->let_time_pass = [exchange] { exchange->LetTimePass(); };
  bound->service->Handle(*std::move(call), [exchange](Answer answer) {
    exchange->Send(std::move(answer));
  });
}

absl::Status HttpGateway::CheckForm(const http::ServerRequest& request,
                                    const Route& route,
                                    const Bound* bound) const {
  if (route.protocol != WireProtocol::kJson10) return absl::OkStatus();
  if (request.method != "POST" || !HasJsonType(request)) {
    return UnknownOperation(
        "Operations are called by POST, with Content-Type "
        "application/x-amz-json-1.0 (or 1.1) and X-Amz-Target.",
        404);
  }
  if (bound != nullptr && !route.operation.empty()) return absl::OkStatus();
  const std::string message = absl::StrCat(
      "No operation of a service here is named by the X-Amz-Target ",
      json::Excerpt(request.FindHeader("X-Amz-Target")), "; the services are ",
      NamesOf(services_), ".");
  return bound == nullptr ? UnknownService(message)
                          : UnknownOperation(message, 400);
}

// All headers for REST; few services read others.
std::vector<http::Header> HeadersFor(const http::ServerRequest& request,
                                     WireProtocol protocol) {
  if (protocol == WireProtocol::kRestJson) return request.headers;
  std::vector<http::Header> headers;
  for (const http::Header& header : request.headers) {
    if (absl::EqualsIgnoreCase(header.name, "X-Amzn-Trace-Id") ||
        absl::EqualsIgnoreCase(header.name, "Accept")) {
      headers.push_back(header);
    }
  }
  return headers;
}

absl::StatusOr<Call> HttpGateway::MakeCall(const http::ServerRequest& request,
                                           const Route& route,
                                           const Bound* bound) const {
  if (absl::Status status = CheckForm(request, route, bound); !status.ok()) {
    return status;
  }
  absl::StatusOr<Identity> identity =
      IsUnsignedCall(request, route, bound)
          ? Identity{}
          : authenticator_.Authenticate(
                request,
                {.protocol = route.protocol,
                 .service = bound == nullptr ? "" : bound->traits->name});
  if (!identity.ok()) return identity.status();
  if (bound == nullptr) {
    return UnknownService(absl::StrCat("The request is signed for the service ",
                                       json::Excerpt(identity->service),
                                       ", which is not here; the services are ",
                                       NamesOf(services_), "."));
  }
  if (route.operation.empty() && route.protocol == WireProtocol::kQuery &&
      !bound->traits->accepts_missing_action) {
    return ServiceError(
        {.code = "MissingAction",
         .message = "The request must contain the parameter Action."});
  }
  std::optional<std::string> endpoint = EndpointOf(request);
  if (!endpoint.has_value()) {
    return ServiceError({.code = "ValidationError",
                         .message = "The header Host is not a host and port."});
  }
  absl::StatusOr<std::string> body = route.protocol == WireProtocol::kQuery
                                         ? QueryParametersOf(request)
                                         : DecodedBody(request, bound);
  if (!body.ok()) return body.status();
  return Call{.operation = route.operation,
              .protocol = route.protocol,
              .body = *std::move(body),
              .path = request.path,
              .method = request.method,
              .query = request.query,
              .headers = HeadersFor(request, route.protocol),
              .region = std::move(identity->region),
              .endpoint = *std::move(endpoint),
              .caller = std::move(identity->caller)};
}

bool HttpGateway::AnswerOther(const http::ServerRequest& request,
                              const Guard::Verdict& verdict,
                              const http::Responder& respond) const {
  if (verdict.only_foreign_origin && open_to_pages_ && take_other_ &&
      open_to_pages_(request) && take_other_(request, respond)) {
    return true;
  }
  if (!verdict.refusal.empty()) {
    if (IsAwsCall(request)) return false;
    respond(RefusalAnswer(verdict.refusal));
    return true;
  }
  if (request.path == kHealthPath) {
    http::ServerResponse answer = HealthAnswer(request);
    if (!verdict.allowed_origin.empty()) {
      AddCorsHeaders(verdict.allowed_origin, answer.headers);
    }
    respond(std::move(answer));
    return true;
  }
  if (take_other_ && take_other_(request, respond)) return true;
  if (verdict.allowed_origin.empty() || !IsPreflight(request)) return false;
  respond(PreflightAnswer(request, verdict.allowed_origin));
  return true;
}

http::ServerResponse HttpGateway::HealthAnswer(
    const http::ServerRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD") {
    return {.status = 405, .headers = {{"Allow", "GET, HEAD"}}};
  }
  return {.headers = {{"Content-Type", "application/json"}}, .body = health_};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Gateway>> Gateway::Start(
    const GatewayOptions& options, const std::vector<Service*>& services,
    const CredentialSet& credentials, time::Clock& clock) {
  std::vector<Bound> bound;
  for (Service* service : services) {
    for (const Bound& other : bound) {
      if (other.service->name() != service->name()) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("the service ", service->name(), " is there twice"));
    }
    bound.push_back({service, &service->traits()});
  }
  auto gateway = std::make_unique<HttpGateway>(options, std::move(bound),
                                               credentials, clock);
  if (absl::Status status = gateway->Listen(options); !status.ok()) {
    return status;
  }
  return gateway;
}

}  // namespace byoshin::local
