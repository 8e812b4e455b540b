#include "local/dynamodb/expressions/projection.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/reader.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {

absl::StatusOr<ProjectionExpression> ProjectionExpression::Parse(
    absl::string_view text, ExpressionContext& context) {
  ExpressionReader reader({.label = "ProjectionExpression", .text = text},
                          context);
  if (absl::Status status = reader.CheckText(); !status.ok()) return status;
  ProjectionExpression projection;
  do {
    absl::StatusOr<DocumentPath> path = reader.ReadPath();
    if (!path.ok()) return path.status();
    projection.paths_.push_back(*std::move(path));
  } while (reader.TakeSymbol(","));
  if (!reader.AtEnd()) return reader.SyntaxError();

  const ExpressionReader::Findings& found = reader.findings();
  if (absl::Status status = reader.FirstError(
          {found.reserved_word, found.undefined_name, found.deep_path});
      !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckDisjoint(projection.paths_); !status.ok()) {
    return reader.Error(ErrorMessageOf(status));
  }
  return projection;
}

ProjectionExpression ProjectionExpression::FromNames(
    const std::vector<std::string>& names) {
  ProjectionExpression projection;
  for (const std::string& name : names) {
    projection.paths_.push_back({{.name = name}});
  }
  return projection;
}

Item ProjectionExpression::Project(const Item& item) const {
  return dynamodb::Project(paths_, item);
}

}  // namespace byoshin::local::dynamodb
