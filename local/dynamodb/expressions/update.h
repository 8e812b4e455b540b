// UpdateExpression.
//
//   auto update = UpdateExpression::Parse(
//       "SET visits = visits + :one REMOVE notes[0]", context);
//   if (!update.ok()) return update.status();
//   absl::StatusOr<Item> changed = update->Apply(item);
//   // ReturnValues UPDATED_NEW; UPDATED_OLD with `item` instead:
//   Item answer = Project(update->paths(), *changed);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

struct UpdatePlan;

// Immutable, so thread-safe; cheap to copy.
class UpdateExpression {
 public:
  static absl::StatusOr<UpdateExpression> Parse(absl::string_view text,
                                                ExpressionContext& context);

  // From actions that were not written as an expression.
  static UpdateExpression FromPlan(UpdatePlan plan);

  // `item` with the changes. A new item consists only of its key attributes;
  // see CreatesItem(). A ValidationError if the item does not match the
  // expression or becomes too large.
  absl::StatusOr<Item> Apply(const Item& item) const;

  // The changed paths, in the order of the expression: for ReturnValues, and
  // for the rule that keys can't be updated.
  const std::vector<DocumentPath>& paths() const;

  // Whether it creates a missing item. If not, it has only REMOVE and DELETE,
  // and AWS does nothing if there is no item: it does not even check the paths.
  bool CreatesItem() const;

  // The type of the value that the expression sets, adds or deletes for the
  // whole attribute `name`, if it does not depend on the item: for the rule on
  // types of index keys.
  std::optional<AttributeType> KnownTypeOf(absl::string_view name) const;

 private:
  UpdateExpression() = default;

  std::shared_ptr<const UpdatePlan> plan_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_H_
