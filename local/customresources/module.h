// Custom resources as a part of the cloud.
#ifndef BYOSHIN_LOCAL_CUSTOMRESOURCES_MODULE_H_
#define BYOSHIN_LOCAL_CUSTOMRESOURCES_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::customresources {

cloud::ModuleSpec CustomResourcesModule();

}  // namespace byoshin::local::customresources

#endif  // BYOSHIN_LOCAL_CUSTOMRESOURCES_MODULE_H_
