// ProjectionExpression.
//
//   auto projection = ProjectionExpression::Parse("id, author.name", context);
//   if (!projection.ok()) return projection.status();
//   Item answer = projection->Project(item);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_PROJECTION_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_PROJECTION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// Immutable, so thread-safe.
class ProjectionExpression {
 public:
  static absl::StatusOr<ProjectionExpression> Parse(absl::string_view text,
                                                    ExpressionContext& context);

  // Whole attributes, by their names.
  static ProjectionExpression FromNames(const std::vector<std::string>& names);

  Item Project(const Item& item) const;

  const std::vector<DocumentPath>& paths() const { return paths_; }

 private:
  ProjectionExpression() = default;

  std::vector<DocumentPath> paths_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_PROJECTION_H_
