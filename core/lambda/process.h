// The process of a Lambda function, with what every function needs: the
// environment, the real clock, a log on standard output, an HTTP client.
//
//   int main() {
//     lambda::Process process("Sender");
//     aws::sqs::JsonClient queue({.http = process.http_client(), ...});
//     return process.Run(
//         [&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
//           // Read the configuration.
//           return std::make_unique<scheduler::Sender>(...);
//         });
//   }
#ifndef BYOSHIN_CORE_LAMBDA_PROCESS_H_
#define BYOSHIN_CORE_LAMBDA_PROCESS_H_

#include <string>
#include <utility>

#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/lambda/invoke.h"
#include "core/lambda/runtime.h"
#include "core/log/logger.h"
#include "core/log/stdout_sink.h"
#include "core/time/clock.h"
#include "core/time/real_clock.h"

namespace byoshin::lambda {

class Process {
 public:
  // `function` is its name in messages.
  explicit Process(std::string function) : function_(std::move(function)) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const env::Environment& environment() const { return environment_; }
  time::Clock& clock() { return clock_; }
  log::Logger& logger() { return logger_; }
  http::Client& http_client() { return http_client_; }

  // Returns the exit status; see runtime.h.
  int Run(HandlerFactory make_handler) {
    return lambda::Run({.function = function_,
                        .environment = environment_,
                        .http_client = http_client_,
                        .logger = logger_},
                       make_handler);
  }

 private:
  const std::string function_;
  const env::Environment environment_ = env::OfProcess();
  time::RealClock clock_;
  log::StdoutSink sink_;
  log::Logger logger_{clock_, sink_};
  http::CurlClient http_client_{http::FindCaFile(environment_)};
};

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_PROCESS_H_
