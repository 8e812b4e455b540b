// How REST APIs call functions: those of methods, and authorizers.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_FUNCTION_INVOKER_H_
#define BYOSHIN_LOCAL_APIGATEWAY_FUNCTION_INVOKER_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"

namespace byoshin::local::apigateway {

// Thread-safe.
class FunctionInvoker {
 public:
  struct Request {
    std::string function_arn{};
    std::string payload{};
    // The caller: "arn:aws:execute-api:…:api/prod/GET/health" of a method,
    // "arn:aws:execute-api:…:api/authorizers/id" of an authorizer. The
    // function's policy must allow it, unless there is a role.
    std::string source_arn{};
    // The role in whose name the function is called; empty if there is none.
    std::string role_arn{};
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

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_FUNCTION_INVOKER_H_
