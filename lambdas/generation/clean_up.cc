// CleanUp: removes what is old, once a day.
#include <memory>

#include "core/generation/constants.h"
#include "core/generation/workflow_handler.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kCleanUpFunction);

  return function.Run([&](generation::Stores& stores) {
    return std::make_unique<generation::CleanUpHandler>(stores.states,
                                                        function.logger());
  });
}
