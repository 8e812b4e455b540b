#include "tests/integration/runtime_api.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "tests/integration/process.h"

namespace byoshin::integration {
namespace {

constexpr char kBase[] = "/2018-06-01/runtime/";
// Lambda's limit on a response.
constexpr std::size_t kMaxResponseBytes = std::size_t{6} << 20;

http::ServerResponse Accepted() {
  return {.status = 202,
          .headers = {{"Content-Type", "application/json"}},
          .body = R"({"status":"OK"})"};
}

RuntimeApi::Outcome ToOutcome(const http::ServerRequest& request,
                              RuntimeApi::Outcome::Kind kind) {
  return {.kind = kind,
          .payload = request.body,
          .content_type = std::string(request.FindHeader("Content-Type")),
          .posted = absl::Now()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<RuntimeApi>> RuntimeApi::Start() {
  http::ServerOptions options;
  options.max_body_bytes = kMaxResponseBytes;
  // A function waits for its next event as long as it lives.
  options.drain_timeout = absl::ZeroDuration();
  std::unique_ptr<RuntimeApi> api(new RuntimeApi());
  absl::StatusOr<std::unique_ptr<http::Server>> server = http::Server::Start(
      options, [api = api.get()](const http::ServerRequest& request,
                                 http::Responder respond) {
        api->Handle(request, std::move(respond));
      });
  if (!server.ok()) return server.status();
  api->server_ = *std::move(server);
  return api;
}

RuntimeApi::~RuntimeApi() = default;

std::string RuntimeApi::address() const {
  return std::string(absl::StripPrefix(server_->url(), "http://"));
}

std::string RuntimeApi::Submit(const Event& event) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::string id =
      absl::StrFormat("8476a536-e9f4-11e8-9739-%012d", ++submitted_);
  pending_.push_back({id, event, absl::Now() + event.time_limit});
  Dispatch();
  return id;
}

absl::StatusOr<RuntimeApi::Outcome> RuntimeApi::Await(
    const std::string& request_id) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool done =
      changed_.wait_for(lock, absl::ToChronoMilliseconds(kGuard), [&] {
        return outcomes_.contains(request_id) || init_error_.has_value() ||
               !ended_.empty();
      });
  if (const auto it = outcomes_.find(request_id); it != outcomes_.end()) {
    Outcome outcome = std::move(it->second);
    outcomes_.erase(it);
    return outcome;
  }
  if (!done) return absl::DeadlineExceededError("the function did not answer");
  if (init_error_.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the function could not initialise: ", init_error_->payload));
  }
  return absl::AbortedError(
      absl::StrCat("the function's process ended: ", ended_));
}

absl::StatusOr<RuntimeApi::Outcome> RuntimeApi::AwaitInitError() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, absl::ToChronoMilliseconds(kGuard),
                    [&] { return init_error_.has_value() || !ended_.empty(); });
  if (init_error_.has_value()) return *init_error_;
  return absl::AbortedError(
      absl::StrCat("no initialisation error was reported; the process: ",
                   ended_.empty() ? "still runs" : absl::string_view(ended_)));
}

void RuntimeApi::ProcessEnded(absl::string_view how) {
  std::lock_guard<std::mutex> lock(mutex_);
  ended_ = std::string(how);
  changed_.notify_all();
}

std::vector<std::string> RuntimeApi::violations() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return violations_;
}

void RuntimeApi::Handle(const http::ServerRequest& request,
                        http::Responder respond) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::string endpoint =
      absl::StrCat(request.method, " ", request.target);
  if (endpoint == absl::StrCat("GET ", kBase, "invocation/next")) {
    HandleNext(std::move(respond));
  } else if (endpoint == absl::StrCat("POST ", kBase, "init/error")) {
    HandleInitError(request, respond);
  } else if (request.method == "POST") {
    HandleOutcome(request, respond);
  } else {
    Refuse(request, respond, 404, "no such endpoint");
  }
}

void RuntimeApi::HandleNext(http::Responder respond) {
  if (under_way_.has_value()) {
    violations_.push_back("asked for the next event before answering " +
                          *std::exchange(under_way_, std::nullopt));
  }
  next_ = std::move(respond);
  Dispatch();
}

void RuntimeApi::HandleInitError(const http::ServerRequest& request,
                                 const http::Responder& respond) {
  init_error_ = ToOutcome(request, Outcome::Kind::kError);
  respond(Accepted());
  changed_.notify_all();
}

void RuntimeApi::HandleOutcome(const http::ServerRequest& request,
                               const http::Responder& respond) {
  absl::string_view rest = request.target;
  if (!absl::ConsumePrefix(&rest, absl::StrCat(kBase, "invocation/"))) {
    return Refuse(request, respond, 404, "no such endpoint");
  }
  Outcome::Kind kind = Outcome::Kind::kResponse;
  if (absl::ConsumeSuffix(&rest, "/error")) {
    kind = Outcome::Kind::kError;
  } else if (!absl::ConsumeSuffix(&rest, "/response")) {
    return Refuse(request, respond, 404, "no such endpoint");
  }
  if (!under_way_.has_value() || rest != *under_way_) {
    return Refuse(request, respond, 400, "no such event is under way");
  }
  outcomes_[*under_way_] = ToOutcome(request, kind);
  under_way_.reset();
  respond(Accepted());
  changed_.notify_all();
}

void RuntimeApi::Refuse(const http::ServerRequest& request,
                        const http::Responder& respond, int status,
                        absl::string_view why) {
  violations_.push_back(
      absl::StrCat(request.method, " ", request.target, ": ", why));
  respond({.status = status,
           .headers = {{"Content-Type", "application/json"}},
           .body = absl::StrCat(R"({"errorType":"InvalidRequest",)",
                                R"("errorMessage":")", why, R"("})")});
}

void RuntimeApi::Dispatch() {
  if (!next_.has_value() || pending_.empty()) return;
  const http::Responder respond = *std::exchange(next_, std::nullopt);
  // A process that died while it was waiting has asked for nothing.
  if (!respond.connected()) return;
  Pending pending = std::move(pending_.front());
  pending_.pop_front();
  under_way_ = pending.request_id;
  respond({.headers =
               {{"Content-Type", "application/json"},
                {"Lambda-Runtime-Aws-Request-Id", pending.request_id},
                {"Lambda-Runtime-Deadline-Ms",
                 absl::StrCat(absl::ToUnixMillis(pending.deadline))},
                {"Lambda-Runtime-Invoked-Function-Arn",
                 "arn:aws:lambda:us-east-1:000000000000:function:under-test"},
                {"Lambda-Runtime-Trace-Id",
                 "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=0"}},
           .body = std::move(pending.event.payload)});
}

}  // namespace byoshin::integration
