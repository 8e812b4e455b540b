// Step Functions as a module of the cloud. Needs iam::Iam, iam::Authority and
// Lambda's module before it. Offers stepfunctions::StepFunctions and
// stepfunctions::NotingStore. If dashboard::Panels comes before it, the page is
// told of changes.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_MODULE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::stepfunctions {

cloud::ModuleSpec StepFunctionsModule();

// What the page shows of Step Functions. Needs the module above,
// cloudformation::Deployer and dashboard::Panels before it.
cloud::ModuleSpec StepFunctionsPanelModule();

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_MODULE_H_
