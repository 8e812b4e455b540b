// UpdateProcessingState: changes the state of a process, for the workflow and
// for the rule on executions that end.
#include <memory>

#include "core/generation/constants.h"
#include "core/generation/workflow_handler.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kUpdateStateFunction);

  return function.Run([&](generation::Stores& stores) {
    return std::make_unique<generation::UpdateStateHandler>(stores.states,
                                                            function.logger());
  });
}
