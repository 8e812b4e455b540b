// Step Functions' resources in templates: AWS::StepFunctions::StateMachine,
// StateMachineVersion, StateMachineAlias and Activity.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_PROVIDERS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_PROVIDERS_H_

#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"

namespace byoshin::local::stepfunctions {

// `states` outlives the providers.
void AddStepFunctionsProviders(Service& states,
                               cloudformation::ProviderRegistry& registry);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_PROVIDERS_H_
