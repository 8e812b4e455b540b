// The environment variables of a deployed function, by which applications
// recognise their functions.
//
//   for (const auto& [id, resource] : stack.resources) {
//     const env::Environment variables = VariablesOf(resource);
//   }
#ifndef BYOSHIN_LOCAL_APPLICATIONS_FUNCTION_VARIABLES_H_
#define BYOSHIN_LOCAL_APPLICATIONS_FUNCTION_VARIABLES_H_

#include "core/env/environment.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {

// Empty if the resource is not a function.
env::Environment VariablesOf(const cloudformation::StackResource& resource);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_FUNCTION_VARIABLES_H_
