// A condition on one attribute in the legacy form: a ComparisonOperator and its
// arguments.
//
//   absl::StatusOr<LegacyCondition> condition =
//       ReadLegacyCondition({.attribute = "age", .op = "GE", .values = &list});
//   tree.children.push_back(ToNode(*condition));
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_LEGACY_CONDITION_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_LEGACY_CONDITION_H_

#include <json/forwards.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {

// The names of all operators, in AWS's order.
std::vector<std::string> ComparisonOperators();

struct LegacyCondition {
  std::string attribute{};
  std::string op{};  // one of ComparisonOperators()
  std::vector<AttributeValue> values{};
};

// `json` is null or a list of values.
absl::StatusOr<std::vector<AttributeValue>> ReadLegacyValues(
    const Json::Value& json, ValueWording wording);

// AWS's error if the operator does not take these values.
absl::Status CheckLegacyValues(const LegacyCondition& condition);

// A path of one name, which may contain any character.
DocumentPath AttributePath(absl::string_view name);

ConditionNode ToNode(const LegacyCondition& condition);

// nullopt if the operator can't select a range of keys.
std::optional<RangeCondition> ToRangeCondition(
    const LegacyCondition& condition);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_LEGACY_CONDITION_H_
