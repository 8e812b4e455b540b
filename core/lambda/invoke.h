// Invokes a handler so that there is always an answer.
//
//   lambda::InvocationResult result = lambda::Invoke(handler, invocation,
//                                                    logger);
//   result.payload;  // the handler's response, or an error's body
#ifndef BYOSHIN_CORE_LAMBDA_INVOKE_H_
#define BYOSHIN_CORE_LAMBDA_INVOKE_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"

namespace byoshin::lambda {

struct InvocationResult {
  enum class Kind { kResponse, kError } kind;
  std::string payload;
};

// Sets the logger's request id, calls the handler, and logs an error. Nothing
// is thrown: an exception from a handler, such as out of memory, becomes an
// Internal error, and the process continues with the next invocation.
//
// A success is not logged: Lambda itself logs the start and the end of each
// invocation, with its duration.
InvocationResult Invoke(Handler& handler, const Invocation& invocation,
                        log::Logger& logger);

using HandlerFactory =
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<Handler>>()>;

// Creates the handler; exceptions become errors.
absl::StatusOr<std::unique_ptr<Handler>> MakeHandler(
    HandlerFactory make_handler);

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_INVOKE_H_
