#include "local/lambda/runtime_api.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/sync/mutex.h"
#include "local/gateway/guard.h"
#include "local/lambda/connection_owner.h"

namespace byoshin::local::lambda {
namespace {

constexpr char kNextPath[] = "/2018-06-01/runtime/invocation/next";
constexpr char kInitErrorPath[] = "/2018-06-01/runtime/init/error";
constexpr char kInvocationPrefix[] = "/2018-06-01/runtime/invocation/";
constexpr char kJson[] = "application/json";
constexpr int kTooLargeStatus = 413;

http::ServerResponse Accepted() {
  return {.status = 202,
          .headers = {{"Content-Type", kJson}},
          .body = R"({"status":"OK"})"};
}

http::ServerResponse Refusal(int status, absl::string_view type,
                             absl::string_view message) {
  std::string body = "{\"errorMessage\":";
  json::AppendQuoted(message, body);
  body += ",\"errorType\":";
  json::AppendQuoted(type, body);
  body += "}";
  return {.status = status,
          .headers = {{"Content-Type", kJson}},
          .body = std::move(body)};
}

// aws-lambda-cpp crashes if there is no Content-Type.
http::ServerResponse ToResponse(const RuntimeApi::Invocation& invocation) {
  http::ServerResponse response{
      .headers = {{"Content-Type", kJson},
                  {"Lambda-Runtime-Aws-Request-Id", invocation.request_id},
                  {"Lambda-Runtime-Deadline-Ms",
                   absl::StrCat(absl::ToUnixMillis(invocation.deadline))},
                  {"Lambda-Runtime-Invoked-Function-Arn",
                   invocation.function_arn},
                  {"Lambda-Runtime-Trace-Id", invocation.trace_id}},
      .body = invocation.payload};
  if (!invocation.client_context.empty()) {
    response.headers.push_back(
        {"Lambda-Runtime-Client-Context", invocation.client_context});
  }
  return response;
}

// The id in /2018-06-01/runtime/invocation/<id>/response or /error.
struct ResultPath {
  absl::string_view request_id;
  RuntimeApi::Result::Kind kind;
};

std::optional<ResultPath> ParseResultPath(absl::string_view path) {
  if (!absl::ConsumePrefix(&path, kInvocationPrefix)) return std::nullopt;
  if (absl::ConsumeSuffix(&path, "/response")) {
    return ResultPath{path, RuntimeApi::Result::Kind::kResponse};
  }
  if (absl::ConsumeSuffix(&path, "/error")) {
    return ResultPath{path, RuntimeApi::Result::Kind::kError};
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::unique_ptr<RuntimeApi>> RuntimeApi::Start(
    Callbacks callbacks) {
  std::unique_ptr<RuntimeApi> api(new RuntimeApi(std::move(callbacks)));
  http::ServerOptions options;
  options.max_body_bytes = kMaxResponseBytes;
  // A function waits for its next invocation as long as it lives.
  options.drain_timeout = absl::ZeroDuration();
  options.idle_timeout = absl::Hours(24);
  options.on_served = [api = api.get()](const http::ServedRequest& served) {
    api->HandleServed(served);
  };
  absl::StatusOr<std::unique_ptr<http::Server>> server = http::Server::Start(
      std::move(options), [api = api.get()](const http::ServerRequest& request,
                                            http::Responder respond) {
        api->Handle(request, std::move(respond));
      });
  if (!server.ok()) return server.status();
  api->server_ = *std::move(server);
  return api;
}

RuntimeApi::~RuntimeApi() {
  // The pending request holds the server, which is a member of this.
  const sync::MutexLock lock(mutex_);
  next_.reset();
  if (!group_.has_value()) group_ = 0;
  changed_.NotifyAll();
}

void RuntimeApi::Serve(pid_t group) {
  const sync::MutexLock lock(mutex_);
  group_ = group;
  changed_.NotifyAll();
}

std::string RuntimeApi::address() const {
  return std::string(absl::StripPrefix(server_->url(), "http://"));
}

bool RuntimeApi::Deliver(const Invocation& invocation) {
  std::optional<http::Responder> next;
  {
    const sync::MutexLock lock(mutex_);
    if (!next_.has_value() || !next_->connected()) return false;
    next = std::exchange(next_, std::nullopt);
    under_way_ = invocation.request_id;
  }
  (*next)(ToResponse(invocation));
  return true;
}

void RuntimeApi::Handle(const http::ServerRequest& request,
                        http::Responder respond) {
  // A web page could otherwise take invocations from the function.
  if (const Guard::Verdict verdict = guard_.Judge(request);
      !verdict.refusal.empty()) {
    return respond(Refusal(403, "Forbidden", verdict.refusal));
  }
  if (!IsServed(request.remote)) {
    return respond(Refusal(403, "Forbidden",
                           "This is the Runtime API of another process"));
  }
  if (request.method == "GET" && request.path == kNextPath) {
    HandleNext(std::move(respond));
  } else if (request.method == "POST") {
    HandleResult(request, respond);
  } else {
    respond(Refusal(404, "NotFound", "404 page not found"));
  }
}

bool RuntimeApi::IsServed(const std::string& remote) {
  if (remote == served_remote_) return true;
  pid_t group;
  {
    const sync::MutexLock lock(mutex_);
    // The process may be quicker than the thread that has started it.
    while (!group_.has_value()) changed_.Wait(mutex_);
    group = *group_;
  }
  std::uint32_t port = 0;
  if (group == 0 ||
      !absl::SimpleAtoi(remote.substr(remote.rfind(':') + 1), &port) ||
      !MayBelongTo(group, static_cast<std::uint16_t>(port), server_->port())) {
    return false;
  }
  served_remote_ = remote;
  return true;
}

// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-next
void RuntimeApi::HandleNext(http::Responder respond) {
  {
    const sync::MutexLock lock(mutex_);
    if (under_way_.has_value()) {
      respond(Refusal(403, "InvalidStateTransition",
                      "The invocation before has not been answered"));
      return;
    }
    next_ = std::move(respond);
    initialised_ = true;
  }
  callbacks_.on_next();
}

// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-response
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-invokeerror
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-initerror
void RuntimeApi::HandleResult(const http::ServerRequest& request,
                              const http::Responder& respond) {
  Result result;
  {
    const sync::MutexLock lock(mutex_);
    const std::optional<ResultPath> path = ParseResultPath(request.path);
    if (request.path == kInitErrorPath) {
      if (initialised_) {
        respond(Refusal(403, "InvalidStateTransition",
                        "The initialisation has ended already"));
        return;
      }
      result.kind = Result::Kind::kInitError;
    } else if (!path.has_value()) {
      respond(Refusal(404, "NotFound", "404 page not found"));
      return;
    } else if (!under_way_.has_value() || path->request_id != *under_way_) {
      respond(Refusal(400, "InvalidRequestID", "Invalid request ID"));
      return;
    } else {
      result.kind = path->kind;
      result.request_id = *std::exchange(under_way_, std::nullopt);
    }
  }
  result.payload = request.body;
  if (result.kind == Result::Kind::kInitError) {
    // The process ends once it has the answer, and the error must be known
    // before.
    callbacks_.on_result(std::move(result));
    respond(Accepted());
    return;
  }
  respond(Accepted());
  callbacks_.on_result(std::move(result));
}

// The server rejects a body that is too large; the invocation ends all the
// same.
void RuntimeApi::HandleServed(const http::ServedRequest& served) {
  if (served.status != kTooLargeStatus) return;
  Result result{.kind = Result::Kind::kTooLarge};
  {
    const sync::MutexLock lock(mutex_);
    if (!under_way_.has_value() ||
        !absl::StrContains(served.target, *under_way_)) {
      return;
    }
    result.request_id = *std::exchange(under_way_, std::nullopt);
  }
  callbacks_.on_result(std::move(result));
}

}  // namespace byoshin::local::lambda
