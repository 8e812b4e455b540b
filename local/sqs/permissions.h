// Which permission a call to SQS needs.
#ifndef BYOSHIN_LOCAL_SQS_PERMISSIONS_H_
#define BYOSHIN_LOCAL_SQS_PERMISSIONS_H_

#include "local/gateway/service.h"

namespace byoshin::local::sqs {

// The action on the queue, wherever the call names it: in its URL, by its name
// or by the path.
NeededPermission PermissionFor(const Call& call);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_PERMISSIONS_H_
