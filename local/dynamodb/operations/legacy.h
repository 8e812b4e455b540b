// The legacy parameters from before expressions, as expressions.
//
//   absl::StatusOr<std::optional<ConditionExpression>> condition =
//       ReadExpected(request);   // Expected and ConditionalOperator
//   if (!condition.ok()) return condition.status();
//
// Each function returns nullopt if the request does not have the parameter. The
// request has been checked against the operation's shape.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_LEGACY_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_LEGACY_H_

#include <json/forwards.h>

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {

Shape AttributesToGetShape();
Shape AttributeUpdatesShape();
Shape ConditionalOperatorShape();
Shape ConditionsShape();  // KeyConditions, QueryFilter, ScanFilter
Shape ExpectedShape();

// ConditionalOperator needs two or more conditions to combine. `conditions` is
// the parameter that has them.
absl::Status CheckConditionalOperator(const Json::Value& request,
                                      const char* conditions);

absl::StatusOr<std::optional<ConditionExpression>> ReadExpected(
    const Json::Value& request);
absl::StatusOr<std::optional<UpdateExpression>> ReadAttributeUpdates(
    const Json::Value& request);
absl::StatusOr<std::optional<ProjectionExpression>> ReadAttributesToGet(
    const Json::Value& request);
// `name` is QueryFilter or ScanFilter.
absl::StatusOr<std::optional<ConditionExpression>> ReadFilter(
    const Json::Value& request, const char* name, ValueWording wording);
absl::StatusOr<std::optional<KeyConditionExpression>> ReadKeyConditions(
    const Json::Value& request);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_LEGACY_H_
