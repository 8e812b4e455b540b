// The permission that a call to SQS needs.
#ifndef BYOSHIN_LOCAL_SQS_PERMISSIONS_H_
#define BYOSHIN_LOCAL_SQS_PERMISSIONS_H_

#include "local/gateway/service.h"

namespace byoshin::local::sqs {

// The action on the queue, which the call names by URL, name, path, ARN or the
// handle of a task that moves its messages.
NeededPermission PermissionFor(const Call& call);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_PERMISSIONS_H_
