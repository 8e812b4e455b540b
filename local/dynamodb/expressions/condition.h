// ConditionExpression and FilterExpression.
//
//   auto condition = ConditionExpression::Parse(
//       ConditionUse::kCondition, "attribute_not_exists(id) OR #v < :v",
//       context);
//   if (!condition.ok()) return condition.status();
//   if (!condition->Evaluate(item)) ...  // item may be null
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

struct ConditionNode;
struct ParsedCondition;

// Its name in errors.
enum class ConditionUse { kCondition, kFilter };

// Immutable, so thread-safe; cheap to copy.
class ConditionExpression {
 public:
  static absl::StatusOr<ConditionExpression> Parse(ConditionUse use,
                                                   absl::string_view text,
                                                   ExpressionContext& context);

  // From a tree that was not written as an expression.
  static ConditionExpression FromTree(ParsedCondition tree);

  // A null item is treated as one without attributes.
  bool Evaluate(const Item* item) const;

  // All paths that occur, for the rules on key attributes.
  const std::vector<DocumentPath>& paths() const { return *paths_; }

 private:
  ConditionExpression() = default;

  std::shared_ptr<const ConditionNode> root_;
  std::shared_ptr<const std::vector<DocumentPath>> paths_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONDITION_H_
