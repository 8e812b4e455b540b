// The functions, each with its log group and a role of its own.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_FUNCTIONS_H_
#define BYOSHIN_INFRA_GEN_GENERATION_FUNCTIONS_H_

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/generation/database.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::generation {

using parts::FunctionResources;

// The id by which the worker asks the model.
cloudformation::Value ModelId(const Inputs& inputs);

// Those that the workflow calls.
struct WorkflowFunctions {
  FunctionResources update_state;
  FunctionResources worker;
};

// `failures` is the queue for events that were given up.
WorkflowFunctions AddWorkflowFunctions(
    cloudformation::Template& stack, const Inputs& inputs,
    const Database& database, const cloudformation::Resource& failures);

// Those behind the API.
struct ApiFunctions {
  FunctionResources generate;
  FunctionResources status;
  FunctionResources retry;
  FunctionResources cancel;
  FunctionResources history;
};

ApiFunctions AddApiFunctions(cloudformation::Template& stack,
                             const Inputs& inputs, const Database& database,
                             const cloudformation::Resource& state_machine);

// The function that migrates the database, and the custom resource that calls
// it when the stack is created, and when there are other migrations or
// passwords. Returns the custom resource.
cloudformation::Resource AddMigration(cloudformation::Template& stack,
                                      const Inputs& inputs,
                                      const Database& database);

// The function that starts processes that have no execution, and removes old
// ones, and its schedule.
FunctionResources AddCleanUp(cloudformation::Template& stack,
                             const Inputs& inputs, const Database& database,
                             const cloudformation::Resource& state_machine,
                             const cloudformation::Resource& failures);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_FUNCTIONS_H_
