// Asks a method's authorizer whether a request may be answered.
//
//   authorization.Check(
//       {.authorizer = authorizer, .method_arn = arn, .values = values, ...},
//       [](AuthorizationOutcome outcome) {
//         if (outcome.refusal.has_value()) return Refuse(*outcome.refusal);
//         ...
//       });
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-integrate-with-cognito.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZATION_H_
#define BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZATION_H_

#include <json/value.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/time/alarms.h"
#include "core/time/clock.h"
#include "local/apigateway/authorizer.h"
#include "local/apigateway/authorizer_cache.h"
#include "local/apigateway/authorizer_result.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/parameter_source.h"
#include "local/cognito/token_verifier.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::apigateway {

using lambda::FunctionInvoker;

// How long an authorizer's function may take.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
inline constexpr absl::Duration kAuthorizerTimeout = absl::Seconds(30);

struct AuthorizationRequest {
  const Authorizer& authorizer;
  const RequestValues& values;
  // Of the stage's deployment: a new one does not use results of an old one.
  std::string deployment_id{};
  // "arn:aws:execute-api:us-east-1:000000000000:api/prod/GET/orders/7".
  std::string method_arn{};
  // "arn:aws:execute-api:us-east-1:000000000000:api/authorizers/id".
  std::string authorizer_arn{};
  // Of the method; only a user pool checks them.
  std::vector<std::string> scopes{};
};

struct AuthorizationOutcome {
  // Why the request is refused; nullopt if it is not.
  std::optional<GatewayError> refusal{};
  // requestContext.authorizer. Also given if the policy refuses the request:
  // gateway responses can use it.
  Json::Value caller{};
  // Members of requestContext.identity: who signed the request.
  std::map<std::string, std::string> identity{};
  // The caller's API key; empty if the authorizer does not tell.
  std::string usage_key{};
};

// Thread-safe.
class Authorization {
 public:
  // All outlive it.
  struct World {
    FunctionInvoker& invoker;
    // Null if the cloud has no user pools.
    const cognito::TokenVerifier* tokens;
    time::Clock& clock;
    time::Alarms& alarms;
    // Once it is closed, results of functions are dropped.
    std::shared_ptr<async::Gate> gate;
  };
  using Done = std::function<void(AuthorizationOutcome)>;

  explicit Authorization(World world) : world_(std::move(world)) {}

  // Calls `done` once: at once, or when the function has answered. What
  // `request` refers to is not used after this returns.
  void Check(const AuthorizationRequest& request, const Done& done);

 private:
  struct Call;

  AuthorizationOutcome CheckToken(const AuthorizationRequest& request) const;
  void CallFunction(const AuthorizationRequest& request,
                    const std::vector<std::string>& identity, const Done& done);
  AuthorizationOutcome Finish(const Call& call,
                              absl::StatusOr<FunctionInvoker::Result> result);

  const World world_;
  AuthorizerCache cache_;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZATION_H_
