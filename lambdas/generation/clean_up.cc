// CleanUp: starts what has no execution and removes what is old, every few
// minutes.
#include <memory>

#include "core/generation/clean_up_handler.h"
#include "core/generation/constants.h"
#include "core/generation/workflow.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kCleanUpFunction);

  return function.RunStarter([&](generation::Stores& stores,
                                 generation::Workflow& workflow) {
    return std::make_unique<generation::CleanUpHandler>(
        generation::CleanUpHandler::Dependencies{.states = stores.states,
                                                 .workflow = workflow,
                                                 .logger = function.logger()});
  });
}
