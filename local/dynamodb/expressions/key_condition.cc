#include "local/dynamodb/expressions/key_condition.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {
namespace {

using Kind = ConditionNode::Kind;

// Of a key with one attribute of each role.
constexpr size_t kMaxPlainTerms = 2;

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

constexpr absl::string_view kNotSupported = "Query key condition not supported";

absl::Status WrongTermCount() {
  return ValidationError("Conditions can be of length 1 or 2 only");
}

absl::Status MissedElement(const KeyAttribute& key) {
  return ValidationError(
      absl::StrCat("Query condition missed key schema element: ", key.name));
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

// Whether the value, which is of the key's type, can be in no key.
bool IsEmpty(const AttributeValue& value, AttributeType type) {
  return type != AttributeType::kNumber && value.bytes().empty();
}

}  // namespace

absl::StatusOr<KeyConditionExpression> KeyConditionExpression::Parse(
    absl::string_view text, ExpressionContext& context) {
  absl::StatusOr<ParsedCondition> parsed =
      ParseCondition("KeyConditionExpression", text, context);
  if (!parsed.ok()) return parsed.status();
  KeyConditionExpression expression;
  expression.is_text_ = true;
  expression.form_ = expression.AddTerms(parsed->root);
  return expression;
}

KeyConditionExpression KeyConditionExpression::FromTerms(
    std::vector<Term> terms) {
  KeyConditionExpression expression;
  expression.terms_ = std::move(terms);
  if (expression.terms_.empty()) expression.form_ = WrongTermCount();
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
          "Invalid KeyConditionExpression: KeyConditionExpressions must only "
          "contain one condition per key");
    }
  }
  term.condition = {.op = *at == 0 ? *op : Mirrored(*op),
                    .value = *node.operands[*at == 0 ? 1 : 0].value};
  if (*op == RangeOperator::kBetween) {
    term.condition->upper = *node.operands[2].value;
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
  if (!term.condition) {
    return ValidationError(
        "Attempted conditional constraint is not an indexable operation");
  }
  const RangeCondition& condition = *term.condition;
  if (!condition.value.is(key.type) ||
      (condition.op == RangeOperator::kBetween &&
       !condition.upper.is(key.type))) {
    return ValidationError(
        "One or more parameter values were invalid: Condition parameter type "
        "does not match schema type");
  }
  if (IsEmpty(condition.value, key.type) ||
      (condition.op == RangeOperator::kBetween &&
       IsEmpty(condition.upper, key.type))) {
    return ValidationError(absl::StrCat(
        "One or more parameter values are not valid. The AttributeValue for a "
        "key attribute cannot contain an empty ",
        key.type == AttributeType::kString ? "string" : "binary",
        " value. Key: ", key.name));
  }
  return condition;
}

absl::Status KeyConditionExpression::CheckTermCount(
    const KeySchema& schema) const {
  if (terms_.size() <= schema.size()) return absl::OkStatus();
  if (terms_.size() <= kMaxPlainTerms) return ValidationError(kNotSupported);
  if (!is_text_) return WrongTermCount();
  return ValidationError(absl::StrCat(
      "The number of query conditions (", terms_.size(),
      ") exceeds the number of key attributes defined in the schema (",
      schema.size(), ")"));
}

absl::Status KeyConditionExpression::BindHash(const KeySchema& schema,
                                              KeyCondition& condition) const {
  for (const KeyAttribute& key : schema.hash) {
    const Term* const term = Find(key);
    if (term == nullptr) return MissedElement(key);
    absl::StatusOr<RangeCondition> bound = BindTerm(*term, key);
    if (!bound.ok()) return bound.status();
    if (bound->op != RangeOperator::kEqual) {
      return ValidationError(kNotSupported);
    }
    condition.hash.push_back(std::move(bound->value));
  }
  return absl::OkStatus();
}

// The conditions must be on the first range attributes, and all but the last
// must be equalities.
absl::Status KeyConditionExpression::BindRange(const KeySchema& schema,
                                               KeyCondition& condition) const {
  const size_t count = terms_.size() - schema.hash.size();
  if (count == 0) return absl::OkStatus();
  const KeyAttribute* last = nullptr;
  for (const KeyAttribute& key : schema.range) {
    if (Find(key) != nullptr) last = &key;
  }
  if (last == nullptr) return MissedElement(schema.range[0]);
  std::vector<absl::string_view> unequal;
  for (const KeyAttribute& key : schema.range) {
    if (&key == last) break;
    const Term* const term = Find(key);
    if (term == nullptr || !term->condition ||
        term->condition->op != RangeOperator::kEqual) {
      unequal.push_back(key.name);
      continue;
    }
    absl::StatusOr<RangeCondition> bound = BindTerm(*term, key);
    if (!bound.ok()) return bound.status();
    condition.equal.push_back(std::move(bound->value));
  }
  if (!unequal.empty()) {
    return ValidationError(absl::StrCat(
        "RANGE key attributes ", absl::StrJoin(unequal, ", "),
        " must have equality conditions specified in the query because a "
        "condition is present on key attribute ",
        last->name));
  }
  // A condition on an attribute that is not part of the key.
  if (condition.equal.size() + 1 < count) return ValidationError(kNotSupported);
  absl::StatusOr<RangeCondition> bound = BindTerm(*Find(*last), *last);
  if (!bound.ok()) return bound.status();
  condition.range = *std::move(bound);
  return absl::OkStatus();
}

absl::StatusOr<KeyCondition> KeyConditionExpression::Bind(
    const KeySchema& schema) const {
  if (!form_.ok()) return form_;
  KeyCondition condition;
  absl::Status status = CheckTermCount(schema);
  if (status.ok()) status = BindHash(schema, condition);
  if (status.ok()) status = BindRange(schema, condition);
  if (!status.ok()) return status;
  return condition;
}

bool KeySchema::Contains(absl::string_view name) const {
  const auto has_name = [&](const KeyAttribute& key) {
    return key.name == name;
  };
  return std::any_of(hash.begin(), hash.end(), has_name) ||
         std::any_of(range.begin(), range.end(), has_name);
}

ByteRange KeyCondition::Select(absl::string_view prefix) const {
  std::string partition(prefix);
  std::vector<const AttributeValue*> values;
  for (const AttributeValue& value : hash) values.push_back(&value);
  AppendHashKey(values, partition);
  for (const AttributeValue& value : equal) AppendKeyPart(value, partition);
  return SelectRange(partition, range);
}

}  // namespace byoshin::local::dynamodb
