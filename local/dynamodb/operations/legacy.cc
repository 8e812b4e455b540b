#include "local/dynamodb/operations/legacy.h"

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/expressions/update_parser.h"
#include "local/dynamodb/operations/legacy_condition.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr size_t kMaxAttributesToGet = 255;

// Joins the conditions by AND, or as ConditionalOperator says. Null if there
// are none.
std::optional<ConditionExpression> Join(
    const Json::Value& request,
    const std::vector<LegacyCondition>& conditions) {
  if (conditions.empty()) return std::nullopt;
  ParsedCondition tree;
  tree.root.kind = request["ConditionalOperator"].asString() == "OR"
                       ? ConditionNode::Kind::kOr
                       : ConditionNode::Kind::kAnd;
  for (const LegacyCondition& condition : conditions) {
    tree.root.children.push_back(ToNode(condition));
    tree.paths.push_back(AttributePath(condition.attribute));
  }
  return ConditionExpression::FromTree(std::move(tree));
}

absl::StatusOr<std::vector<LegacyCondition>> ReadConditions(
    const Json::Value& json, ValueWording wording) {
  std::vector<LegacyCondition> conditions;
  for (const std::string& name : json.getMemberNames()) {
    LegacyCondition condition{
        .attribute = name, .op = json[name]["ComparisonOperator"].asString()};
    absl::StatusOr<std::vector<AttributeValue>> values =
        ReadLegacyValues(json[name]["AttributeValueList"], wording);
    if (!values.ok()) return values.status();
    condition.values = *std::move(values);
    absl::Status status = CheckLegacyValues(condition);
    if (!status.ok()) return status;
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

// Which of its members an element of Expected may have together.
absl::Status CheckExpectedMembers(const std::string& name,
                                  const Json::Value& json) {
  const bool has_list = Has(json, "AttributeValueList");
  const bool has_value = Has(json, "Value");
  const std::string op = json["ComparisonOperator"].asString();
  const auto error = [&](const std::string& text) {
    return InvalidParameter(absl::StrCat(text, " for Attribute: ", name));
  };
  if (has_list && has_value) {
    return error("Value and AttributeValueList cannot be used together");
  }
  if (!op.empty()) {
    if (Has(json, "Exists")) {
      return error("Exists and ComparisonOperator cannot be used together");
    }
    if (op != "NULL" && op != "NOT_NULL" && !has_list && !has_value) {
      return error(absl::StrCat(
          "Value or AttributeValueList must be used with ComparisonOperator: ",
          op));
    }
    return absl::OkStatus();
  }
  if (has_list) {
    return error(
        "AttributeValueList can only be used with a ComparisonOperator");
  }
  const bool exists = !Has(json, "Exists") || json["Exists"].asBool();
  if (exists && !has_value) {
    return error(absl::StrCat("Value must be provided when Exists is ",
                              Has(json, "Exists") ? "true" : "null"));
  }
  if (!exists && has_value) {
    return error("Value cannot be used when Exists is false");
  }
  return absl::OkStatus();
}

absl::StatusOr<LegacyCondition> ReadExpectedCondition(const std::string& name,
                                                      const Json::Value& json) {
  absl::Status status = CheckExpectedMembers(name, json);
  if (!status.ok()) return status;
  LegacyCondition condition{.attribute = name,
                            .op = json["ComparisonOperator"].asString()};
  if (condition.op.empty()) condition.op = Has(json, "Value") ? "EQ" : "NULL";
  Json::Value list = json["AttributeValueList"];
  if (Has(json, "Value")) list.append(json["Value"]);
  absl::StatusOr<std::vector<AttributeValue>> values =
      ReadLegacyValues(list, ValueWording::kNewer);
  if (!values.ok()) return values.status();
  condition.values = *std::move(values);
  status = CheckLegacyValues(condition);
  if (!status.ok()) return status;
  return condition;
}

bool IsSet(AttributeType type) {
  return type == AttributeType::kStringSet ||
         type == AttributeType::kNumberSet || type == AttributeType::kBinarySet;
}

absl::Status CheckActionValue(const std::string& action, AttributeType type) {
  if (action == "DELETE" && !IsSet(type)) {
    return InvalidParameter(
        absl::StrCat("DELETE action with value is not supported for the type ",
                     TypeName(type)));
  }
  if (action == "ADD" && !IsSet(type) && type != AttributeType::kNumber &&
      type != AttributeType::kList) {
    return InvalidParameter(absl::StrCat(
        "ADD action is not supported for the type ", TypeName(type)));
  }
  return absl::OkStatus();
}

absl::StatusOr<UpdateAction> ReadUpdateAction(const std::string& name,
                                              const Json::Value& json) {
  const std::string action = json["Action"].asString();
  UpdateAction update{.path = AttributePath(name)};
  if (!Has(json, "Value")) {
    if (action != "DELETE") {
      return InvalidParameter(
          "Only DELETE action is allowed when no attribute value is specified");
    }
    update.section = UpdateAction::Section::kRemove;
    return update;
  }
  absl::StatusOr<AttributeValue> value = AttributeValueFromJson(json["Value"]);
  if (!value.ok()) return value.status();
  absl::Status status = CheckActionValue(action, value->type());
  if (!status.ok()) return status;
  update.section = action == "ADD"      ? UpdateAction::Section::kAdd
                   : action == "DELETE" ? UpdateAction::Section::kDelete
                                        : UpdateAction::Section::kSet;
  update.operand = {
      .kind = UpdateOperand::Kind::kValue,
      .value = std::make_shared<const AttributeValue>(*std::move(value))};
  return update;
}

}  // namespace

Shape AttributesToGetShape() {
  return List(String().Length(0, kMaxAttributeNameBytes))
      .Length(1, kMaxAttributesToGet);
}

Shape AttributeUpdatesShape() {
  return Map("AttributeValueUpdate",
             Struct("AttributeValueUpdate",
                    {{"Action", String().OneOf({"ADD", "PUT", "DELETE"})},
                     {"Value", AttributeValueShape()}}));
}

Shape ConditionalOperatorShape() { return String().OneOf({"OR", "AND"}); }

Shape ConditionsShape() {
  return Map("Condition",
             Struct("Condition",
                    {{"AttributeValueList", List(AttributeValueShape())},
                     {"ComparisonOperator",
                      String().Required().OneOf(ComparisonOperators())}}));
}

Shape ExpectedShape() {
  return Map(
      "ExpectedAttributeValue",
      Struct("ExpectedAttributeValue",
             {{"AttributeValueList", List(AttributeValueShape())},
              {"ComparisonOperator", String().OneOf(ComparisonOperators())},
              {"Exists", Boolean()},
              {"Value", AttributeValueShape()}}));
}

absl::Status CheckConditionalOperator(const Json::Value& request,
                                      const char* conditions) {
  if (!Has(request, "ConditionalOperator")) return absl::OkStatus();
  const Json::ArrayIndex count = request[conditions].size();
  if (count == 0) {
    return ValidationError(
        "ConditionalOperator cannot be used without Filter or Expected");
  }
  if (count > 1) return absl::OkStatus();
  return ValidationError(
      "ConditionalOperator can only be used when Filter or Expected has two or "
      "more elements");
}

absl::StatusOr<std::optional<ConditionExpression>> ReadExpected(
    const Json::Value& request) {
  const Json::Value& expected = request["Expected"];
  if (expected.isNull()) return std::nullopt;
  std::vector<LegacyCondition> conditions;
  for (const std::string& name : expected.getMemberNames()) {
    absl::StatusOr<LegacyCondition> condition =
        ReadExpectedCondition(name, expected[name]);
    if (!condition.ok()) return condition.status();
    conditions.push_back(*std::move(condition));
  }
  return Join(request, conditions);
}

absl::StatusOr<std::optional<UpdateExpression>> ReadAttributeUpdates(
    const Json::Value& request) {
  const Json::Value& updates = request["AttributeUpdates"];
  if (updates.empty()) return std::nullopt;
  UpdatePlan plan{.form = UpdateForm::kAttributeUpdates};
  for (const std::string& name : updates.getMemberNames()) {
    absl::StatusOr<UpdateAction> action = ReadUpdateAction(name, updates[name]);
    if (!action.ok()) return action.status();
    plan.paths.push_back(action->path);
    plan.actions.push_back(*std::move(action));
  }
  return UpdateExpression::FromPlan(std::move(plan));
}

absl::StatusOr<std::optional<ProjectionExpression>> ReadAttributesToGet(
    const Json::Value& request) {
  const Json::Value& attributes = request["AttributesToGet"];
  if (attributes.isNull()) return std::nullopt;
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Json::Value& attribute : attributes) {
    names.push_back(attribute.asString());
    if (!seen.insert(names.back()).second) {
      return InvalidParameter(
          absl::StrCat("Duplicate value in attribute name: ", names.back()));
    }
  }
  return ProjectionExpression::FromNames(names);
}

absl::StatusOr<std::optional<ConditionExpression>> ReadFilter(
    const Json::Value& request, const char* name, ValueWording wording) {
  if (!Has(request, name)) return std::nullopt;
  absl::StatusOr<std::vector<LegacyCondition>> conditions =
      ReadConditions(request[name], wording);
  if (!conditions.ok()) return conditions.status();
  return Join(request, *conditions);
}

absl::StatusOr<std::optional<KeyConditionExpression>> ReadKeyConditions(
    const Json::Value& request) {
  if (!Has(request, "KeyConditions")) return std::nullopt;
  absl::StatusOr<std::vector<LegacyCondition>> conditions =
      ReadConditions(request["KeyConditions"], ValueWording::kNewer);
  if (!conditions.ok()) return conditions.status();
  std::vector<KeyConditionExpression::Term> terms;
  for (const LegacyCondition& condition : *conditions) {
    terms.push_back({condition.attribute, ToRangeCondition(condition)});
  }
  KeyConditionExpression expression =
      KeyConditionExpression::FromTerms(std::move(terms));
  if (!expression.CheckForm().ok()) return expression.CheckForm();
  return expression;
}

}  // namespace byoshin::local::dynamodb
