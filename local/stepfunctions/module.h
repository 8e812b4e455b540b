// Step Functions as a module of the cloud. Needs iam::Iam, iam::Authority and
// Lambda's module before it. Offers stepfunctions::StepFunctions.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_MODULE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::stepfunctions {

cloud::ModuleSpec StepFunctionsModule();

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_MODULE_H_
