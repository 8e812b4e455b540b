// The Sender as a Lambda function: started by a schedule, once a minute.
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/sqs/json_client.h"
#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/curl_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/runtime.h"
#include "core/log/logger.h"
#include "core/log/stdout_sink.h"
#include "core/scheduler/config.h"
#include "core/scheduler/sender.h"
#include "core/time/real_clock.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  const env::Environment environment = env::OfProcess();
  time::RealClock clock;
  log::StdoutSink sink;
  log::Logger logger(clock, sink);
  http::CurlClient http_client(http::FindCaFile(environment));
  aws::sqs::JsonClient queue({.http = http_client,
                              .clock = clock,
                              .environment = environment,
                              .logger = &logger});

  return lambda::Run(
      {.function = "Sender",
       .environment = environment,
       .http_client = http_client,
       .logger = logger},
      [&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
        absl::StatusOr<scheduler::SenderConfig> config =
            scheduler::LoadSenderConfig(environment);
        if (!config.ok()) return config.status();
        return std::make_unique<scheduler::Sender>(
            *std::move(config),
            scheduler::Sender::Dependencies{
                .queue = queue, .clock = clock, .logger = logger});
      });
}
