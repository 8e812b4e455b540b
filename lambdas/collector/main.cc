// The Collector as a Lambda function: started by the queue's messages.
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/curl_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/runtime.h"
#include "core/log/logger.h"
#include "core/log/stdout_sink.h"
#include "core/scheduler/collector.h"
#include "core/scheduler/config.h"
#include "core/time/real_clock.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  const env::Environment environment = env::OfProcess();
  time::RealClock clock;
  log::StdoutSink sink;
  log::Logger logger(clock, sink);
  http::CurlClient http_client(http::FindCaFile(environment));
  aws::dynamodb::JsonClient table({.http = http_client,
                                   .clock = clock,
                                   .environment = environment,
                                   .logger = &logger});

  return lambda::Run(
      {.function = "Collector",
       .environment = environment,
       .http_client = http_client,
       .logger = logger},
      [&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
        absl::StatusOr<scheduler::CollectorConfig> config =
            scheduler::LoadCollectorConfig(environment);
        if (!config.ok()) return config.status();
        return std::make_unique<scheduler::Collector>(
            *std::move(config),
            scheduler::Collector::Dependencies{.http_client = http_client,
                                               .table = table,
                                               .clock = clock,
                                               .logger = logger});
      });
}
