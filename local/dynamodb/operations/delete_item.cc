// DeleteItem
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html
#include <json/forwards.h>

#include "absl/status/statusor.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/replacing_write.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& DeleteItemShape() {
  static const auto* shape = new Shape(
      Struct("DeleteItemInput",
             {{"ReturnConsumedCapacity", ReturnConsumedCapacity()},
              {"TableName", ItemTableName()},
              {"ReturnValues", ReturnValues(Shape::Wording::kBrief)},
              {"ReturnValuesOnConditionCheckFailure",
               ReturnValuesOnConditionCheckFailure()},
              {"ReturnItemCollectionMetrics", ReturnItemCollectionMetrics()},
              {"Key", AttributeMap().Required()},
              {"ConditionalOperator", ConditionalOperatorShape()},
              {"Expected", ExpectedShape()},
              {"ConditionExpression", String()},
              {"ExpressionAttributeValues", AttributeMap()},
              {"ExpressionAttributeNames", AttributeNames()}}));
  return *shape;
}

absl::StatusOr<Work> PrepareDeleteItem(const Json::Value& request,
                                       const RequestContext& context) {
  return PrepareReplacingWrite(request, context, ItemWrite::Kind::kDelete);
}

}  // namespace

const Operation kDeleteItem = {"DeleteItem", DeleteItemShape, PrepareDeleteItem,
                               ErrorForm::kEnveloped};

}  // namespace byoshin::local::dynamodb
