// The syntax tree of a condition, filter or key condition.
//
//   absl::StatusOr<ParsedCondition> parsed =
//       ParseCondition("FilterExpression", "size(a) > :n", context);
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_PARSER_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_PARSER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// A path if there is no value.
struct ConditionOperand {
  DocumentPath path{};
  std::shared_ptr<const AttributeValue> value{};
  // Uses size() of it.
  bool size = false;
};

struct ConditionNode {
  enum class Kind {
    kAnd,  // these three have children, all others operands
    kOr,
    kNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,
    kIn,
    kAttributeExists,
    kAttributeNotExists,
    kAttributeType,
    kBeginsWith,
    kContains,
  };
  Kind kind = Kind::kAnd;
  std::vector<ConditionNode> children{};
  std::vector<ConditionOperand> operands{};
};

// As AWS writes the operator or function: "<=", "BETWEEN", "begins_with".
absl::string_view OperatorName(ConditionNode::Kind kind);

struct ParsedCondition {
  ConditionNode root{};
  std::vector<DocumentPath> paths{};  // all, as they occur
};

// `label` is AWS's name of the expression in errors.
absl::StatusOr<ParsedCondition> ParseCondition(absl::string_view label,
                                               absl::string_view text,
                                               ExpressionContext& context);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_PARSER_H_
