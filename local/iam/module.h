// IAM and STS as a module of the cloud: first in the list, so that it checks
// every call to the others. Offers iam::Iam and iam::Authority.
#ifndef BYOSHIN_LOCAL_IAM_MODULE_H_
#define BYOSHIN_LOCAL_IAM_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::iam {

cloud::ModuleSpec IamModule();

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_MODULE_H_
