// The common implementation of PutItem and DeleteItem, which differ only in
// their shapes: one replaces the item by another, the other by nothing, and
// both return the old item on request.
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_REPLACING_WRITE_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_REPLACING_WRITE_H_

#include <json/forwards.h>

#include "absl/status/statusor.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/operation.h"

namespace byoshin::local::dynamodb {

// `kind` is kPut, for the request's Item, or kDelete, for its Key.
absl::StatusOr<Work> PrepareReplacingWrite(const Json::Value& request,
                                           const RequestContext& context,
                                           ItemWrite::Kind kind);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_REPLACING_WRITE_H_
