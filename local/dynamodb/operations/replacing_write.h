// What PutItem and DeleteItem have in common, which is all but their shapes:
// one puts an item in place of what was there, the other nothing, and both
// answer with what was there if they are asked to.
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
