// CancelHandler: ends a process for POST /api/ai/async/cancel/{processId}.
#include <memory>

#include "core/aws/stepfunctions/json_client.h"
#include "core/generation/api_handler.h"
#include "core/generation/constants.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kCancelFunction);
  aws::stepfunctions::JsonClient workflow(function.dependencies());

  return function.Run([&](generation::Stores& stores) {
    return std::make_unique<generation::CancelHandler>(function.Api(stores),
                                                       workflow);
  });
}
