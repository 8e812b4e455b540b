#include "local/dynamodb/expressions/condition.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

using Kind = ConditionNode::Kind;

// In UTF-16 code units, as AWS counts: two for each character of four bytes.
size_t Utf16Length(absl::string_view utf8) {
  size_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xC0) == 0x80;
    if (!continues) units += byte >= 0xF0 ? 2 : 1;
  }
  return units;
}

// nullopt for types that have no size.
std::optional<size_t> SizeOf(const AttributeValue& value) {
  switch (value.type()) {
    case AttributeType::kString:
      return Utf16Length(value.bytes());
    case AttributeType::kBinary:
      return value.bytes().size();
    case AttributeType::kStringSet:
    case AttributeType::kBinarySet:
      return value.strings().size();
    case AttributeType::kNumberSet:
      return value.numbers().size();
    case AttributeType::kList:
      return value.list().size();
    case AttributeType::kMap:
      return value.map().size();
    case AttributeType::kNumber:
    case AttributeType::kBool:
    case AttributeType::kNull:
      break;
  }
  return std::nullopt;
}

// The value of an operand for an item. Points into either, or to its own
// number.
class Evaluated {
 public:
  Evaluated(const ConditionOperand& operand, const Item& item)
      : value_(operand.value != nullptr ? operand.value.get()
                                        : Resolve(operand.path, item)) {
    if (!operand.size || value_ == nullptr) return;
    const std::optional<size_t> size = SizeOf(*value_);
    value_ = nullptr;
    if (size.has_value()) {
      size_ = AttributeValue(Number(static_cast<int64_t>(*size)));
      value_ = &size_;
    }
  }
  Evaluated(const Evaluated&) = delete;
  Evaluated& operator=(const Evaluated&) = delete;

  // Null if there is none.
  const AttributeValue* get() const { return value_; }

 private:
  const AttributeValue* value_;
  AttributeValue size_;
};

bool Orders(Kind kind, const AttributeValue& a, const AttributeValue& b) {
  const auto order = Compare(a, b);
  if (!order.has_value()) return false;
  switch (kind) {
    case Kind::kLess:
      return *order < 0;
    case Kind::kLessOrEqual:
      return *order <= 0;
    case Kind::kGreater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

bool BeginsWith(const AttributeValue& value, const AttributeValue& prefix) {
  return value.type() == prefix.type() &&
         (value.is(AttributeType::kString) ||
          value.is(AttributeType::kBinary)) &&
         absl::StartsWith(value.bytes(), prefix.bytes());
}

template <typename Set, typename Element>
bool Has(const Set& set, const Element& element) {
  return std::find(set.begin(), set.end(), element) != set.end();
}

bool Contains(const AttributeValue& value, const AttributeValue& part) {
  switch (value.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      return part.type() == value.type() &&
             absl::StrContains(value.bytes(), part.bytes());
    case AttributeType::kStringSet:
      return part.is(AttributeType::kString) &&
             Has(value.strings(), part.bytes());
    case AttributeType::kBinarySet:
      return part.is(AttributeType::kBinary) &&
             Has(value.strings(), part.bytes());
    case AttributeType::kNumberSet:
      return part.is(AttributeType::kNumber) &&
             Has(value.numbers(), part.number());
    case AttributeType::kList:
      return Has(value.list(), part);
    default:
      return false;
  }
}

bool EvaluateIn(const ConditionNode& node, const Item& item) {
  const Evaluated value(node.operands[0], item);
  if (value.get() == nullptr) return false;
  for (size_t i = 1; i < node.operands.size(); ++i) {
    const Evaluated candidate(node.operands[i], item);
    if (candidate.get() != nullptr && *candidate.get() == *value.get()) {
      return true;
    }
  }
  return false;
}

bool EvaluateBetween(const ConditionNode& node, const Item& item) {
  const Evaluated value(node.operands[0], item);
  const Evaluated lower(node.operands[1], item);
  const Evaluated upper(node.operands[2], item);
  return value.get() != nullptr && lower.get() != nullptr &&
         upper.get() != nullptr &&
         Orders(Kind::kGreaterOrEqual, *value.get(), *lower.get()) &&
         Orders(Kind::kLessOrEqual, *value.get(), *upper.get());
}

// Comparators and functions of two operands.
bool EvaluatePair(const ConditionNode& node, const Item& item) {
  const Evaluated first(node.operands[0], item);
  const Evaluated second(node.operands[1], item);
  const AttributeValue* const a = first.get();
  const AttributeValue* const b = second.get();
  // A missing value is not equal to anything, not even to another missing
  // value.
  if (a == nullptr || b == nullptr) return node.kind == Kind::kNotEqual;
  switch (node.kind) {
    case Kind::kEqual:
      return *a == *b;
    case Kind::kNotEqual:
      return !(*a == *b);
    case Kind::kAttributeType:
      return b->is(AttributeType::kString) && TypeName(a->type()) == b->text();
    case Kind::kBeginsWith:
      return BeginsWith(*a, *b);
    case Kind::kContains:
      return Contains(*a, *b);
    default:
      return Orders(node.kind, *a, *b);
  }
}

bool EvaluateNode(const ConditionNode& node, const Item& item) {
  const auto holds = [&](const ConditionNode& child) {
    return EvaluateNode(child, item);
  };
  switch (node.kind) {
    case Kind::kAnd:
      return std::all_of(node.children.begin(), node.children.end(), holds);
    case Kind::kOr:
      return std::any_of(node.children.begin(), node.children.end(), holds);
    case Kind::kNot:
      return !holds(node.children[0]);
    case Kind::kBetween:
      return EvaluateBetween(node, item);
    case Kind::kIn:
      return EvaluateIn(node, item);
    case Kind::kAttributeExists:
      return Resolve(node.operands[0].path, item) != nullptr;
    case Kind::kAttributeNotExists:
      return Resolve(node.operands[0].path, item) == nullptr;
    default:
      return EvaluatePair(node, item);
  }
}

}  // namespace

absl::StatusOr<ConditionExpression> ConditionExpression::Parse(
    ConditionUse use, absl::string_view text, ExpressionContext& context) {
  absl::StatusOr<ParsedCondition> parsed = ParseCondition(
      use == ConditionUse::kFilter ? "FilterExpression" : "ConditionExpression",
      text, context);
  if (!parsed.ok()) return parsed.status();
  return FromTree(*std::move(parsed));
}

ConditionExpression ConditionExpression::FromTree(ParsedCondition tree) {
  ConditionExpression expression;
  expression.root_ =
      std::make_shared<const ConditionNode>(std::move(tree.root));
  expression.paths_ =
      std::make_shared<const std::vector<DocumentPath>>(std::move(tree.paths));
  return expression;
}

bool ConditionExpression::Evaluate(const Item* item) const {
  const Item none;
  return EvaluateNode(*root_, item != nullptr ? *item : none);
}

}  // namespace byoshin::local::dynamodb
