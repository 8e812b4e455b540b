// Serves the REST APIs: passes HTTP requests to functions and services, and
// returns their answers.
//
//   Front front(registry, {.invoker = functions, .clock = clock, ...});
//   if (Front::Wants(request)) return front.Handle(request, respond);
//
// A request passes these steps, each of which may refuse it: its method is
// found (address.h, registry.h), the method's authorizer is asked
// (authorization.h), its key and the limits are checked, it is validated
// (request_validation.h), and its integration is called (proxy.h,
// service_integration.h). An API can customize refusals (gateway_response.h).
//
// Answers under the path share their origin with the dashboard, so browsers are
// instructed to treat them as documents without an origin: see shared_origin.h.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_FRONT_H_
#define BYOSHIN_LOCAL_APIGATEWAY_FRONT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/async/gate.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/alarms.h"
#include "core/time/clock.h"
#include "local/apigateway/authorization.h"
#include "local/apigateway/exchange.h"
#include "local/apigateway/iam_authorization.h"
#include "local/apigateway/models/schemas.h"
#include "local/apigateway/registry.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/service.h"
#include "local/iam/role_caller.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::apigateway {

using iam::ServiceCall;

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
    // Null if the cloud has no user pools.
    const cognito::TokenVerifier* tokens;
    // Checks requests whose method's AuthorizationType is AWS_IAM.
    const IamAuthorization& iam;
    time::Clock& clock;
    std::string account_id;
    std::string region;
    // Writes a line to a log group; does not block. Never null.
    std::function<void(absl::string_view log_group_arn, std::string line)>
        access_log;
    // Returns a new id for each request. Never null.
    std::function<std::string()> new_request_id;
  };

  // `registry` must outlive the front.
  Front(Registry& registry, Options options);
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  // Requests that wait for a function or a service are not answered any more.
  ~Front();

  // Whether a request is for a REST API. All requests to the host of an API
  // are.
  static bool Wants(const http::ServerRequest& request);

  void Handle(const http::ServerRequest& request, http::Responder respond);

 private:
  using ExchangePointer = std::shared_ptr<Exchange>;

  // The steps, in order.
  void Begin(const ExchangePointer& exchange);
  void Authorize(const ExchangePointer& exchange);
  void FinishAuthorization(const ExchangePointer& exchange,
                           AuthorizationOutcome outcome);
  void CheckKeyAndLimits(const ExchangePointer& exchange,
                         absl::string_view authorizers_key);
  void Validate(const ExchangePointer& exchange);
  void Integrate(const ExchangePointer& exchange);

  void CallFunction(const ExchangePointer& exchange);
  void CallService(const ExchangePointer& exchange);
  void Mock(const ExchangePointer& exchange);
  // A function for the result of an integration, which begins now. Replies if
  // it takes too long.
  template <typename Result>
  std::function<void(Result)> WithinTimeout(
      const ExchangePointer& exchange,
      void (Front::*finish)(const ExchangePointer&, const Result&));
  void FinishFunction(const ExchangePointer& exchange,
                      const absl::StatusOr<FunctionInvoker::Result>& result);
  void FinishService(const ExchangePointer& exchange,
                     const absl::StatusOr<Answer>& answer);

  void Refuse(const ExchangePointer& exchange, GatewayError error);
  void Reply(const ExchangePointer& exchange, http::ServerResponse response);

  Registry& registry_;
  const Options options_;
  const std::shared_ptr<async::Gate> gate_ = std::make_shared<async::Gate>();
  // Reset once no result of an integration is let in.
  std::unique_ptr<time::Alarms> alarms_;
  Schemas schemas_;
  Authorization authorization_;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_FRONT_H_
