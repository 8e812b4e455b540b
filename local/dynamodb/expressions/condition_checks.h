// The semantic rules for conditions: which functions there are, which operands
// they and the comparators take, where they may occur.
//
// AWS parses the whole condition before it reports any of these, in a certain
// order: so the checks record errors, and the parser reports them at the end.
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_CHECKS_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_CHECKS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

inline constexpr absl::string_view kSizeFunction = "size";

// Whether conditions have a function of this name.
bool IsConditionFunction(absl::string_view name);

// A part of a condition during parsing.
struct ConditionTerm {
  enum class Kind { kOperand, kFunction, kCondition };
  Kind kind = Kind::kOperand;
  ConditionOperand operand{};  // of kOperand, and of the function size
  std::string function{};      // the name, of kFunction
  ConditionNode node{};        // of kCondition and kFunction
  // Known unless it is a path.
  std::optional<AttributeType> type{};
  // In parentheses of its own.
  bool parenthesized = false;

  bool IsPath() const {
    return kind == Kind::kOperand && operand.value == nullptr;
  }
  bool IsValue() const {
    return kind == Kind::kOperand && operand.value != nullptr;
  }
};

// Not thread-safe. The messages are the first of their kind, without "Invalid
// ...Expression: "; empty if there is none.
class ConditionChecks {
 public:
  // `label` is AWS's name of the expression: "FilterExpression".
  explicit ConditionChecks(absl::string_view label) : label_(label) {}

  static std::string Misuse(absl::string_view function);

  void NoteRedundantParentheses();
  void NoteMisuse(absl::string_view function);

  // Also sets the kind of the function's node.
  void CheckFunction(ConditionTerm& function,
                     const std::vector<ConditionTerm>& arguments);
  void CheckComparison(ConditionNode::Kind kind,
                       const std::vector<ConditionTerm>& operands);

  // Called after a comparison or function: AWS reports one error of the first
  // that has any. `undefined` is the first undefined placeholder so far.
  void FinishCondition(const std::string& undefined);

  const std::string& redundant_parentheses() const { return parentheses_; }
  const std::string& unknown_function() const { return unknown_function_; }
  const std::string& misused_function() const { return misused_function_; }
  const std::string& condition() const { return condition_; }

 private:
  std::string DescribeUnknown(absl::string_view function) const;
  void CheckOperandKinds(const std::vector<ConditionTerm>& operands);
  void CheckDistinct(absl::string_view name,
                     const std::vector<ConditionTerm>& operands);
  void CheckBounds(const ConditionTerm& lower, const ConditionTerm& upper);
  void CheckTypeName(const ConditionTerm& name);
  void NoteWrongType(absl::string_view name, absl::string_view type);

  const absl::string_view label_;
  std::string parentheses_;
  std::string unknown_function_;
  std::string misused_function_;
  std::string operand_count_;
  std::string distinct_;
  std::string operand_type_;
  std::string condition_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_CHECKS_H_
