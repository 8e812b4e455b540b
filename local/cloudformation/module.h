// CloudFormation as a module of the cloud: last of those that create resources.
// Offers cloudformation::Deployer.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_MODULE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::cloudformation {

cloud::ModuleSpec CloudFormationModule();

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_MODULE_H_
