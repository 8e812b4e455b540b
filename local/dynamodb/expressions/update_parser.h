// Parses an update expression into a list of actions.
//
//   absl::StatusOr<UpdatePlan> plan = ParseUpdate("ADD visits :one", context);
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_PARSER_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_PARSER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// The functions of update expressions.
inline constexpr absl::string_view kIfNotExistsName = "if_not_exists";
inline constexpr absl::string_view kListAppendName = "list_append";

struct UpdateOperand {
  enum class Kind {
    kPath,
    kValue,
    kIfNotExists,  // the others have two arguments
    kListAppend,
    kPlus,
    kMinus,
  };
  Kind kind = Kind::kPath;
  DocumentPath path{};
  std::shared_ptr<const AttributeValue> value{};
  std::vector<UpdateOperand> arguments{};
};

struct UpdateAction {
  enum class Section { kSet, kRemove, kAdd, kDelete };
  Section section = Section::kSet;
  DocumentPath path{};
  UpdateOperand operand{};  // unless kRemove
};

// What the actions were written as: AWS words errors about types accordingly.
enum class UpdateForm { kExpression, kAttributeUpdates };

struct UpdatePlan {
  std::vector<UpdateAction> actions{};
  std::vector<DocumentPath> paths{};  // of the actions
  UpdateForm form = UpdateForm::kExpression;
};

absl::StatusOr<UpdatePlan> ParseUpdate(absl::string_view text,
                                       ExpressionContext& context);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_UPDATE_PARSER_H_
