// Which permission a call to Step Functions needs.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_PERMISSIONS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_PERMISSIONS_H_

#include "local/gateway/service.h"

namespace byoshin::local::stepfunctions {

// https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html
NeededPermission PermissionFor(const Call& call);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_PERMISSIONS_H_
