// AppSync as a module of the cloud. Needs the modules of IAM, DynamoDB and
// Lambda before it, and uses Cognito's and the RDS Data API's if they are
// there. Offers Traces (local/appsync/resolve/trace.h), ControlPlane and
// Realtime.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODULE_H_
#define BYOSHIN_LOCAL_APPSYNC_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::appsync {

cloud::ModuleSpec AppSyncModule();

// Its panel on the page. After AppSync's own module and the dashboard's.
cloud::ModuleSpec AppSyncPanelModule();

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODULE_H_
