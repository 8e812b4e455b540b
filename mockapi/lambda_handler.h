// The mock API as a Lambda function behind an API Gateway REST API with proxy
// integration.
//
//   mockapi::LambdaHandler handler(logger);
//   handler.Handle(invocation);  // {"statusCode":200,"headers":…,"body":"…"}
#ifndef BYOSHIN_MOCKAPI_LAMBDA_HANDLER_H_
#define BYOSHIN_MOCKAPI_LAMBDA_HANDLER_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"

namespace byoshin::mockapi {

// Logs one line per request. Thread-safe.
class LambdaHandler final : public lambda::Handler {
 public:
  explicit LambdaHandler(log::Logger& logger) : logger_(logger) {}

  // Every request is answered with an HTTP status. InvalidArgument only if the
  // payload is not an event of API Gateway.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  log::Logger& logger_;
};

}  // namespace byoshin::mockapi

#endif  // BYOSHIN_MOCKAPI_LAMBDA_HANDLER_H_
