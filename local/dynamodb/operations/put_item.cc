// PutItem
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
#include <json/forwards.h>

#include "absl/status/statusor.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/replacing_write.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& PutItemShape() {
  static const auto* shape = new Shape(
      Struct("PutItemInput",
             {{"ReturnConsumedCapacity", ReturnConsumedCapacity()},
              {"TableName", ItemTableName()},
              {"Item", AttributeMap().Required()},
              {"ReturnValues", ReturnValues(Shape::Wording::kBrief)},
              {"ReturnValuesOnConditionCheckFailure",
               ReturnValuesOnConditionCheckFailure()},
              {"ReturnItemCollectionMetrics", ReturnItemCollectionMetrics()},
              {"ConditionalOperator", ConditionalOperatorShape()},
              {"Expected", ExpectedShape()},
              {"ConditionExpression", String()},
              {"ExpressionAttributeValues", AttributeMap()},
              {"ExpressionAttributeNames", AttributeNames()}}));
  return *shape;
}

absl::StatusOr<Work> PreparePutItem(const Json::Value& request,
                                    const RequestContext& context) {
  return PrepareReplacingWrite(request, context, ItemWrite::Kind::kPut);
}

}  // namespace

const Operation kPutItem = {"PutItem", PutItemShape, PreparePutItem,
                            ErrorForm::kEnveloped};

}  // namespace byoshin::local::dynamodb
