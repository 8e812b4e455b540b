// The workflow: the state machine, and the rule that closes the process of an
// execution that ended otherwise.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_WORKFLOW_H_
#define BYOSHIN_INFRA_GEN_GENERATION_WORKFLOW_H_

#include "infra/cloudformation/stepfunctions.h"
#include "infra/cloudformation/template.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/generation/parameters.h"

namespace byoshin::infra::generation {

// The machine's states, with references to the functions.
cloudformation::stepfunctions::Machine WorkflowMachine(
    const WorkflowFunctions& functions);

struct Workflow {
  cloudformation::Resource state_machine;
  cloudformation::Resource log_group;
  // On executions that failed, timed out or were stopped.
  cloudformation::Resource rule;
};

Workflow AddWorkflow(cloudformation::Template& stack, const Inputs& inputs,
                     const WorkflowFunctions& functions,
                     const cloudformation::Resource& failures);

// The queue for events that were given up: those that EventBridge could not
// deliver, and those that a function failed to handle.
cloudformation::Resource AddFailureQueue(cloudformation::Template& stack);
// Lets this stack's rules send to it.
void AddFailureQueuePolicy(cloudformation::Template& stack,
                           const cloudformation::Resource& queue);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_WORKFLOW_H_
