// A handler that calls a function given to it.
//
//   FunctionHandler handler([](const Invocation& invocation) {
//     return invocation.payload;
//   });
#ifndef BYOSHIN_CORE_LAMBDA_TESTING_FUNCTION_HANDLER_H_
#define BYOSHIN_CORE_LAMBDA_TESTING_FUNCTION_HANDLER_H_

#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/lambda/handler.h"

namespace byoshin::lambda::testing {

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

}  // namespace byoshin::lambda::testing

#endif  // BYOSHIN_CORE_LAMBDA_TESTING_FUNCTION_HANDLER_H_
