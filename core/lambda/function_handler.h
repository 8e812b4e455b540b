// A handler that is a function, for tests.
#ifndef BYOSHIN_CORE_LAMBDA_FUNCTION_HANDLER_H_
#define BYOSHIN_CORE_LAMBDA_FUNCTION_HANDLER_H_

#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/lambda/handler.h"

namespace byoshin::lambda {

class FunctionHandler final : public Handler {
 public:
  using Function =
      std::function<absl::StatusOr<std::string>(const Invocation&)>;
  explicit FunctionHandler(Function function)
      : function_(std::move(function)) {}

  absl::StatusOr<std::string> Handle(const Invocation& invocation) override {
    return function_(invocation);
  }

 private:
  const Function function_;
};

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_FUNCTION_HANDLER_H_
