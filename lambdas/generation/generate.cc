// AsyncProcessingHandler: starts a process for POST /api/ai/async/generate.
#include <memory>

#include "core/generation/api_handler.h"
#include "core/generation/constants.h"
#include "core/generation/workflow.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kGenerateFunction);

  return function.RunStarter(
      [&](generation::Stores& stores, generation::Workflow& workflow) {
        return std::make_unique<generation::GenerateHandler>(
            function.Api(stores), stores.goals, function.clock(), workflow);
      });
}
