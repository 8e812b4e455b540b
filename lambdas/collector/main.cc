// The Collector as a Lambda function: started by the queue's messages.
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"
#include "core/scheduler/collector.h"
#include "core/scheduler/config.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("Collector");
  aws::dynamodb::JsonClient table({.http = process.http_client(),
                                   .clock = process.clock(),
                                   .environment = process.environment(),
                                   .logger = &process.logger()});

  return process.Run([&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    absl::StatusOr<scheduler::CollectorConfig> config =
        scheduler::LoadCollectorConfig(process.environment());
    if (!config.ok()) return config.status();
    return std::make_unique<scheduler::Collector>(
        *std::move(config),
        scheduler::Collector::Dependencies{.http_client = process.http_client(),
                                           .table = table,
                                           .clock = process.clock(),
                                           .logger = process.logger()});
  });
}
