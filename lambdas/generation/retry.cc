// RetryHandler: starts a process again for POST
// /api/ai/async/retry/{processId}.
#include <memory>
#include <string>

#include "core/aws/stepfunctions/json_client.h"
#include "core/generation/api_handler.h"
#include "core/generation/constants.h"
#include "lambdas/generation/wiring.h"

int main() {
  using namespace byoshin;  // NOLINT: this is all that main() is made of
  generation::Function function(generation::kRetryFunction);
  aws::stepfunctions::JsonClient workflow(function.dependencies());

  return function.RunStarter(
      [&](generation::Stores& stores, const std::string& state_machine_arn) {
        return std::make_unique<generation::RetryHandler>(
            function.Api(stores),
            generation::GenerateHandler::Workflow{
                .client = workflow, .state_machine_arn = state_machine_arn});
      });
}
