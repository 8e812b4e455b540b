#include "local/dynamodb/operations/legacy_condition.h"

#include <json/json.h>

#include <compare>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

using NodeKind = ConditionNode::Kind;

// The types of values that an operator takes.
enum class ValueTypes { kAny, kScalars, kTexts };

struct LegacyOperator {
  const char* name;
  // Of the condition; of NOT_CONTAINS, its opposite.
  NodeKind kind;
  size_t min_values;
  size_t max_values;
  ValueTypes types;
  std::optional<RangeOperator> range;
};

// IN takes as many values as a request can have.
constexpr size_t kNoLimit = static_cast<size_t>(-1);

constexpr LegacyOperator kOperators[] = {
    {"IN", NodeKind::kIn, 1, kNoLimit, ValueTypes::kScalars, std::nullopt},
    {"NULL", NodeKind::kAttributeNotExists, 0, 0, ValueTypes::kAny,
     std::nullopt},
    {"BETWEEN", NodeKind::kBetween, 2, 2, ValueTypes::kScalars,
     RangeOperator::kBetween},
    {"LT", NodeKind::kLess, 1, 1, ValueTypes::kScalars, RangeOperator::kLess},
    {"NOT_CONTAINS", NodeKind::kContains, 1, 1, ValueTypes::kScalars,
     std::nullopt},
    {"EQ", NodeKind::kEqual, 1, 1, ValueTypes::kAny, RangeOperator::kEqual},
    {"GT", NodeKind::kGreater, 1, 1, ValueTypes::kScalars,
     RangeOperator::kGreater},
    {"NOT_NULL", NodeKind::kAttributeExists, 0, 0, ValueTypes::kAny,
     std::nullopt},
    {"NE", NodeKind::kNotEqual, 1, 1, ValueTypes::kAny, std::nullopt},
    {"LE", NodeKind::kLessOrEqual, 1, 1, ValueTypes::kScalars,
     RangeOperator::kLessOrEqual},
    {"BEGINS_WITH", NodeKind::kBeginsWith, 1, 1, ValueTypes::kTexts,
     RangeOperator::kBeginsWith},
    {"GE", NodeKind::kGreaterOrEqual, 1, 1, ValueTypes::kScalars,
     RangeOperator::kGreaterOrEqual},
    {"CONTAINS", NodeKind::kContains, 1, 1, ValueTypes::kScalars, std::nullopt},
};

const LegacyOperator& OperatorOf(const LegacyCondition& condition) {
  for (const LegacyOperator& op : kOperators) {
    if (condition.op == op.name) return op;
  }
  return kOperators[0];  // the shape accepts no others
}

bool Accepts(ValueTypes types, AttributeType type) {
  switch (types) {
    case ValueTypes::kAny:
      return true;
    case ValueTypes::kScalars:
      return IsKeyType(type);
    case ValueTypes::kTexts:
      return type == AttributeType::kString || type == AttributeType::kBinary;
  }
  return false;
}

}  // namespace

std::vector<std::string> ComparisonOperators() {
  std::vector<std::string> names;
  for (const LegacyOperator& op : kOperators) names.emplace_back(op.name);
  return names;
}

absl::StatusOr<std::vector<AttributeValue>> ReadLegacyValues(
    const Json::Value& json, ValueWording wording) {
  std::vector<AttributeValue> values;
  for (const Json::Value& element : json) {
    absl::StatusOr<AttributeValue> value =
        AttributeValueFromJson(element, wording);
    if (!value.ok()) return value.status();
    values.push_back(*std::move(value));
  }
  return values;
}

absl::Status CheckLegacyValues(const LegacyCondition& condition) {
  const LegacyOperator& op = OperatorOf(condition);
  const std::vector<AttributeValue>& values = condition.values;
  if (values.size() < op.min_values || values.size() > op.max_values) {
    return InvalidParameter(
        absl::StrCat("Invalid number of argument(s) for the ", condition.op,
                     " ComparisonOperator"));
  }
  for (const AttributeValue& value : values) {
    if (value.type() == values[0].type()) continue;
    return InvalidParameter(
        "AttributeValues inside AttributeValueList must be of same type");
  }
  for (const AttributeValue& value : values) {
    if (Accepts(op.types, value.type())) continue;
    return InvalidParameter(
        absl::StrCat("ComparisonOperator ", condition.op, " is not valid for ",
                     TypeName(value.type()), " AttributeValue type"));
  }
  if (op.kind == NodeKind::kBetween &&
      Compare(values[0], values[1]) == std::strong_ordering::greater) {
    return ValidationError(
        "The BETWEEN condition was provided a range where the lower bound is "
        "greater than the upper bound");
  }
  return absl::OkStatus();
}

DocumentPath AttributePath(absl::string_view name) {
  return {{.name = std::string(name)}};
}

ConditionNode ToNode(const LegacyCondition& condition) {
  ConditionNode node{.kind = OperatorOf(condition).kind};
  node.operands.push_back({.path = AttributePath(condition.attribute)});
  for (const AttributeValue& value : condition.values) {
    node.operands.push_back(
        {.value = std::make_shared<const AttributeValue>(value)});
  }
  if (condition.op != "NOT_CONTAINS") return node;
  // Unlike NE, it does not hold for an attribute that does not exist.
  ConditionNode exists{.kind = NodeKind::kAttributeExists};
  exists.operands.push_back({.path = AttributePath(condition.attribute)});
  ConditionNode negation{.kind = NodeKind::kNot};
  negation.children.push_back(std::move(node));
  ConditionNode both{.kind = NodeKind::kAnd};
  both.children.push_back(std::move(exists));
  both.children.push_back(std::move(negation));
  return both;
}

std::optional<RangeCondition> ToRangeCondition(
    const LegacyCondition& condition) {
  const std::optional<RangeOperator> op = OperatorOf(condition).range;
  if (!op) return std::nullopt;
  RangeCondition range{.op = *op, .value = condition.values[0]};
  if (condition.values.size() > 1) range.upper = condition.values[1];
  return range;
}

}  // namespace byoshin::local::dynamodb
