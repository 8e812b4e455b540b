// Serves the REST APIs: passes HTTP requests to functions and services, and
// returns their answers.
//
//   Front front(registry, {.invoker = functions, .clock = clock, ...});
//   if (Front::Wants(request)) return front.Handle(request, respond);
//
// A stage is reached under the path
//   /restapis/{api id}/{stage}/_user_request_/{path}
// and under the host {api id}.execute-api.{region}.… as /{stage}/{path}.
// Answers under the path share their origin with the dashboard, so browsers are
// instructed to treat them as documents without an origin: see shared_origin.h.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_FRONT_H_
#define BYOSHIN_LOCAL_APIGATEWAY_FRONT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/clock.h"
#include "local/apigateway/proxy.h"
#include "local/apigateway/registry.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {

// The API, stage and path of a request. nullopt if it is not for a REST API, or
// its path is not percent-encoded correctly.
std::optional<Address> AddressOf(const http::ServerRequest& request);

// The URL of a stage, without a trailing slash. `endpoint` is the gateway's:
// "http://127.0.0.1:4566".
std::string StageUrl(absl::string_view endpoint, absl::string_view api_id,
                     absl::string_view stage);

// Calls functions. Thread-safe.
class FunctionInvoker {
 public:
  struct Request {
    std::string function_arn{};
    std::string payload{};
    // The method that calls: "arn:aws:execute-api:…:api/prod/GET/health". The
    // function's policy must allow it.
    std::string source_arn{};
  };
  // Returns the function's result, or an error if it failed or could not be
  // called.
  using Done = std::function<void(absl::StatusOr<std::string> result)>;

  virtual ~FunctionInvoker() = default;
  virtual void InvokeForApi(Request request, Done done) = 0;
};

// A call of another service in the name of a role.
struct ServiceCall {
  std::string service{};  // "states"
  std::string action{};   // "StartExecution"
  std::string region{};
  std::string role_arn{};
  std::string body{};
};

// How long a function or a service may take to answer a client.
inline constexpr absl::Duration kIntegrationTimeout = absl::Seconds(29);

// Thread-safe.
class Front {
 public:
  struct Options {
    FunctionInvoker& invoker;
    // Calls services. The answer may be an error of the service. The status is
    // an error if there is no such service or the role can't be assumed. Must
    // not block. Never null.
    std::function<void(ServiceCall call,
                       std::function<void(absl::StatusOr<Answer>)> done)>
        call_service;
    time::Clock& clock;
    std::string account_id;
    std::string region;
    // Writes a line to a log group; does not block. Never null.
    std::function<void(absl::string_view log_group_arn, std::string line)>
        access_log;
    // Returns a new id for each request. Never null.
    std::function<std::string()> new_request_id;
  };

  // `registry` must outlive the front, and the front must outlive every request
  // in progress.
  Front(Registry& registry, Options options);

  // Whether a request is for a REST API. All requests to the host of an API
  // are.
  static bool Wants(const http::ServerRequest& request);

  void Handle(const http::ServerRequest& request, http::Responder respond);

 private:
  struct Exchange;
  using ExchangePointer = std::shared_ptr<Exchange>;

  void Invoke(const http::ServerRequest& request,
              const ExchangePointer& exchange);
  void Finish(const ExchangePointer& exchange,
              absl::StatusOr<std::string> result);
  void CallService(const http::ServerRequest& request,
                   const ExchangePointer& exchange);
  void FinishService(const ExchangePointer& exchange,
                     absl::StatusOr<Answer> answer);
  // Replies and returns true if the integration took too long.
  bool ReplyIfLate(const ExchangePointer& exchange);
  void Reply(const ExchangePointer& exchange, http::ServerResponse response);

  Registry& registry_;
  const Options options_;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_FRONT_H_
