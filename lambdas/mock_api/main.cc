// The mock API as a Lambda function, behind API Gateway.
#include <memory>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/curl_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/runtime.h"
#include "core/log/logger.h"
#include "core/log/stdout_sink.h"
#include "core/time/real_clock.h"
#include "mockapi/lambda_handler.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  const env::Environment environment = env::OfProcess();
  time::RealClock clock;
  log::StdoutSink sink;
  log::Logger logger(clock, sink);
  http::CurlClient http_client(http::FindCaFile(environment));

  return lambda::Run({.function = "mock API",
                      .environment = environment,
                      .http_client = http_client,
                      .logger = logger},
                     [&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
                       return std::make_unique<mockapi::LambdaHandler>(logger);
                     });
}
