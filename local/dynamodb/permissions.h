// The permissions that a call to DynamoDB needs.
#ifndef BYOSHIN_LOCAL_DYNAMODB_PERMISSIONS_H_
#define BYOSHIN_LOCAL_DYNAMODB_PERMISSIONS_H_

#include <vector>

#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {

// One for each table and index that the call names, and for each element of a
// transaction.
std::vector<NeededPermission> PermissionsFor(const Call& call);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_PERMISSIONS_H_
