// The Sender as a Lambda function: started by a schedule, once a minute.
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/sqs/json_client.h"
#include "core/lambda/handler.h"
#include "core/lambda/process.h"
#include "core/scheduler/config.h"
#include "core/scheduler/sender.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  lambda::Process process("Sender");
  aws::sqs::JsonClient queue({.http = process.http_client(),
                              .clock = process.clock(),
                              .environment = process.environment(),
                              .logger = &process.logger()});

  return process.Run([&]() -> absl::StatusOr<std::unique_ptr<lambda::Handler>> {
    absl::StatusOr<scheduler::SenderConfig> config =
        scheduler::LoadSenderConfig(process.environment());
    if (!config.ok()) return config.status();
    return std::make_unique<scheduler::Sender>(
        *std::move(config),
        scheduler::Sender::Dependencies{.queue = queue,
                                        .clock = process.clock(),
                                        .logger = process.logger()});
  });
}
