#include "local/dynamodb/expressions/key_condition.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {
namespace {

using Kind = ConditionNode::Kind;

constexpr size_t kMaxTerms = 2;

constexpr absl::string_view kInvalidCondition =
    "Invalid condition in KeyConditionExpression: ";

// nullopt if it can't select a range of keys.
std::optional<RangeOperator> ToRangeOperator(Kind kind) {
  switch (kind) {
    case Kind::kEqual:
      return RangeOperator::kEqual;
    case Kind::kLess:
      return RangeOperator::kLess;
    case Kind::kLessOrEqual:
      return RangeOperator::kLessOrEqual;
    case Kind::kGreater:
      return RangeOperator::kGreater;
    case Kind::kGreaterOrEqual:
      return RangeOperator::kGreaterOrEqual;
    case Kind::kBetween:
      return RangeOperator::kBetween;
    case Kind::kBeginsWith:
      return RangeOperator::kBeginsWith;
    default:
      return std::nullopt;
  }
}

// The operator with its operands exchanged.
RangeOperator Mirrored(RangeOperator op) {
  switch (op) {
    case RangeOperator::kLess:
      return RangeOperator::kGreater;
    case RangeOperator::kLessOrEqual:
      return RangeOperator::kGreaterOrEqual;
    case RangeOperator::kGreater:
      return RangeOperator::kLess;
    case RangeOperator::kGreaterOrEqual:
      return RangeOperator::kLessOrEqual;
    default:
      return op;
  }
}

bool IsPath(const ConditionOperand& operand) {
  return operand.value == nullptr;
}

// The position of the key attribute among the operands.
absl::StatusOr<size_t> FindAttribute(const ConditionNode& node) {
  const bool first_only =
      node.kind == Kind::kBetween || node.kind == Kind::kBeginsWith;
  if (first_only && (!IsPath(node.operands[0]) || node.operands[0].size)) {
    return ValidationError(
        absl::StrCat(kInvalidCondition, OperatorName(node.kind),
                     " operator must have the key attribute as its first "
                     "operand"));
  }
  std::optional<size_t> found;
  for (size_t i = 0; i < node.operands.size(); ++i) {
    const ConditionOperand& operand = node.operands[i];
    if (operand.size) {
      return ValidationError(
          "KeyConditionExpressions cannot contain nested operations");
    }
    if (!IsPath(operand)) continue;
    if (found.has_value()) {
      return ValidationError(absl::StrCat(
          kInvalidCondition, "Multiple attribute names used in one condition"));
    }
    if (operand.path.size() > 1) {
      return ValidationError(
          "KeyConditionExpressions cannot have conditions on nested "
          "attributes");
    }
    found = i;
  }
  if (found.has_value()) return *found;
  return ValidationError(
      absl::StrCat(kInvalidCondition, "No key attribute specified"));
}

}  // namespace

absl::StatusOr<KeyConditionExpression> KeyConditionExpression::Parse(
    absl::string_view text, ExpressionContext& context) {
  absl::StatusOr<ParsedCondition> parsed =
      ParseCondition("KeyConditionExpression", text, context);
  if (!parsed.ok()) return parsed.status();
  KeyConditionExpression expression;
  expression.form_ = expression.AddTerms(parsed->root);
  if (expression.form_.ok() && expression.terms_.size() > kMaxTerms) {
    expression.form_ =
        ValidationError("Conditions can be of length 1 or 2 only");
  }
  return expression;
}

absl::Status KeyConditionExpression::AddTerms(const ConditionNode& node) {
  if (node.kind == Kind::kAnd) {
    for (const ConditionNode& child : node.children) {
      if (absl::Status status = AddTerms(child); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  const std::optional<RangeOperator> op = ToRangeOperator(node.kind);
  if (!op.has_value()) {
    return ValidationError(
        absl::StrCat("Invalid operator used in KeyConditionExpression: ",
                     OperatorName(node.kind)));
  }
  absl::StatusOr<size_t> at = FindAttribute(node);
  if (!at.ok()) return at.status();
  Term term{.name = node.operands[*at].path[0].name};
  for (const Term& other : terms_) {
    if (other.name == term.name) {
      return ValidationError(
          "KeyConditionExpressions must only contain one condition per key");
    }
  }
  term.condition.op = *at == 0 ? *op : Mirrored(*op);
  term.condition.value = *node.operands[*at == 0 ? 1 : 0].value;
  if (*op == RangeOperator::kBetween) {
    term.condition.upper = *node.operands[2].value;
  }
  terms_.push_back(std::move(term));
  return absl::OkStatus();
}

const KeyConditionExpression::Term* KeyConditionExpression::Find(
    const KeyAttribute& key) const {
  for (const Term& term : terms_) {
    if (term.name == key.name) return &term;
  }
  return nullptr;
}

absl::StatusOr<RangeCondition> KeyConditionExpression::BindTerm(
    const Term& term, const KeyAttribute& key) const {
  const RangeCondition& condition = term.condition;
  if (!condition.value.is(key.type) ||
      (condition.op == RangeOperator::kBetween &&
       !condition.upper.is(key.type))) {
    return ValidationError(
        "One or more parameter values were invalid: Condition parameter type "
        "does not match schema type");
  }
  if (condition.op == RangeOperator::kEqual &&
      key.type != AttributeType::kNumber && condition.value.bytes().empty()) {
    return ValidationError(absl::StrCat(
        "One or more parameter values are not valid. The AttributeValue for a "
        "key attribute cannot contain an empty ",
        key.type == AttributeType::kString ? "string" : "binary",
        " value. Key: ", key.name));
  }
  return condition;
}

absl::StatusOr<KeyCondition> KeyConditionExpression::Bind(
    const KeySchema& schema) const {
  if (!form_.ok()) return form_;
  const absl::Status unsupported =
      ValidationError("Query key condition not supported");
  if (!schema.range.has_value() && terms_.size() > 1) return unsupported;
  const Term* const hash = Find(schema.hash);
  if (hash == nullptr) {
    return ValidationError(absl::StrCat(
        "Query condition missed key schema element: ", schema.hash.name));
  }
  absl::StatusOr<RangeCondition> hash_condition = BindTerm(*hash, schema.hash);
  if (!hash_condition.ok()) return hash_condition.status();
  if (hash_condition->op != RangeOperator::kEqual) return unsupported;

  KeyCondition condition{.hash = std::move(hash_condition->value)};
  if (terms_.size() == 1) return condition;
  const Term* const range = Find(*schema.range);
  if (range == nullptr) {
    return ValidationError(absl::StrCat(
        "Query condition missed key schema element: ", schema.range->name));
  }
  absl::StatusOr<RangeCondition> range_condition =
      BindTerm(*range, *schema.range);
  if (!range_condition.ok()) return range_condition.status();
  condition.range = *std::move(range_condition);
  return condition;
}

}  // namespace byoshin::local::dynamodb
