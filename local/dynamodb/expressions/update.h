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

  // `item` with the changes. An item that does not exist yet is one of its key
  // attributes alone; see CreatesItem(). A ValidationError if the item does not
  // fit the expression or becomes too large.
  absl::StatusOr<Item> Apply(const Item& item) const;

  // What is changed, in the order of the expression: for ReturnValues, and for
  // the rule that keys are not updated.
  const std::vector<DocumentPath>& paths() const;

  // Whether it makes an item that does not exist. If not, it has only REMOVE
  // and DELETE, and AWS does nothing at all if there is no item: it does not
  // even look at the paths.
  bool CreatesItem() const;

  // The type that the whole attribute `name` gets, or has added or deleted, if
  // the expression alone tells: for the rule on types of index keys.
  std::optional<AttributeType> KnownTypeOf(absl::string_view name) const;

 private:
  UpdateExpression() = default;

  std::shared_ptr<const UpdatePlan> plan_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_H_
