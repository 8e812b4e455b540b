// Parameters that several operations share: expressions, items and keys. The
// legacy parameters that expressions replace are in legacy.h.
//
//   const ExpressionParameters parameters = {
//       .expressions = {"ConditionExpression"}, .legacy = {"Expected"}};
//   absl::Status status = CheckExpressionParameters(request, parameters);
//   absl::StatusOr<Expressions> expressions =
//       ParseExpressions(request, parameters);
//   if (expressions->condition.has_value()) ...
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_PARAMETERS_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_PARAMETERS_H_

#include <json/forwards.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"

namespace byoshin::local::dynamodb {

// The names of an operation's expressions, and of the legacy parameters that
// they replace.
struct ExpressionParameters {
  std::vector<const char*> expressions{};
  std::vector<const char*> legacy{};
  // Whether an error about values without an expression names the expressions.
  bool names_missing_expressions = true;
  // Of ExpressionAttributeValues.
  ValueWording value_wording = ValueWording::kNewer;
};

// Rejects legacy parameters beside expressions, and names and values without an
// expression.
absl::Status CheckExpressionParameters(const Json::Value& request,
                                       const ExpressionParameters& parameters);

// The expressions that the operation accepts and the request has.
struct Expressions {
  std::optional<UpdateExpression> update{};
  std::optional<ConditionExpression> condition{};
  std::optional<KeyConditionExpression> key_condition{};
  std::optional<ConditionExpression> filter{};
  std::optional<ProjectionExpression> projection{};
};

absl::StatusOr<Expressions> ParseExpressions(
    const Json::Value& request, const ExpressionParameters& parameters);

// An item to be written: at most kMaxItemBytes.
absl::StatusOr<Item> ReadNewItem(const Json::Value& json);

// Whether the parameter is present and not null.
bool Has(const Json::Value& request, const char* name);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_PARAMETERS_H_
