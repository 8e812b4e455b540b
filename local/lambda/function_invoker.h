// How other services call functions for their resources.
//
//   LambdaInvoker invoker(lambda, roles, "apigateway.amazonaws.com");
//   invoker.InvokeForApi({.function_arn = arn, .payload = event,
//                         .source_arn = method_arn}, done);
#ifndef BYOSHIN_LOCAL_LAMBDA_FUNCTION_INVOKER_H_
#define BYOSHIN_LOCAL_LAMBDA_FUNCTION_INVOKER_H_

#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "local/iam/role_caller.h"
#include "local/lambda/lambda.h"

namespace byoshin::local::lambda {

// Thread-safe.
class FunctionInvoker {
 public:
  // Whether the caller waits for the function's result.
  enum class Mode { kRequestResponse, kEvent };
  struct Request {
    std::string function_arn{};
    std::string payload{};
    // The caller: "arn:aws:execute-api:…:api/prod/GET/health" of a method,
    // "arn:aws:execute-api:…:api/authorizers/id" of an authorizer. The
    // function's policy must allow it, unless there is a role.
    std::string source_arn{};
    // The role in whose name the function is called; empty if there is none.
    std::string role_arn{};
    // With kEvent, the result is null, once the event is stored durably.
    Mode mode = Mode::kRequestResponse;
  };
  struct Result {
    std::string payload{};
    // Whether the function failed; the payload describes the error then.
    bool failed = false;
  };
  // Gets an error if the function could not be called: PermissionDenied if that
  // is not allowed.
  using Done = std::function<void(absl::StatusOr<Result> result)>;

  virtual ~FunctionInvoker() = default;
  // Must not block.
  virtual void InvokeForApi(Request request, Done done) = 0;
};

// Functions of the cloud.
class LambdaInvoker final : public FunctionInvoker {
 public:
  // All outlive it. `principal` is the service that calls.
  LambdaInvoker(Lambda& lambda, iam::RoleCaller& roles, std::string principal)
      : lambda_(lambda), roles_(roles), principal_(std::move(principal)) {}

  void InvokeForApi(Request request, Done done) override;

 private:
  Lambda& lambda_;
  iam::RoleCaller& roles_;
  const std::string principal_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_FUNCTION_INVOKER_H_
