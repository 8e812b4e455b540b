// AIGenerationWorker: asks the model and saves what it answers.
#include "core/generation/worker.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/bedrock/json_client.h"
#include "core/aws/stepfunctions/json_client.h"
#include "core/generation/config.h"
#include "core/generation/constants.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kWorkerFunction);
  aws::bedrock::JsonClient models(function.dependencies());
  aws::stepfunctions::JsonClient workflow(function.dependencies());

  return function.Run([&](generation::Stores& stores) -> generation::HandlerOr {
    absl::StatusOr<generation::ModelConfig> config =
        generation::LoadModelConfig(function.environment());
    if (!config.ok()) return config.status();
    return std::make_unique<generation::Worker>(
        *std::move(config),
        generation::Worker::Dependencies{.processes = stores.processes,
                                         .goals = stores.goals,
                                         .models = models,
                                         .workflow = workflow,
                                         .clock = function.clock(),
                                         .logger = function.logger()});
  });
}
