// Which permission a call to Lambda's API needs.
#ifndef BYOSHIN_LOCAL_LAMBDA_PERMISSIONS_H_
#define BYOSHIN_LOCAL_LAMBDA_PERMISSIONS_H_

#include "local/gateway/service.h"

namespace byoshin::local::lambda {

// By the path: "/2015-03-31/functions/NAME/invocations".
NeededPermission PermissionFor(const Call& call);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_PERMISSIONS_H_
