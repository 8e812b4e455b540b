// RetryHandler: starts a process again for POST
// /api/ai/async/retry/{processId}.
#include <memory>

#include "core/generation/api_handler.h"
#include "core/generation/constants.h"
#include "core/generation/workflow.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kRetryFunction);

  return function.RunStarter(
      [&](generation::Stores& stores, generation::Workflow& workflow) {
        return std::make_unique<generation::RetryHandler>(function.Api(stores),
                                                          workflow);
      });
}
