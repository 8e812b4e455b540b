// DeleteTable
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html
#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "local/dynamodb/engine/table_json.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& DeleteTableShape() {
  static const auto* shape = new Shape(
      Struct("DeleteTableInput", {{"TableName", ControlTableName()}}));
  return *shape;
}

absl::StatusOr<std::string> Delete(Database& database,
                                   const std::string& region,
                                   const std::string& name) {
  const Table* table = database.FindTable(region, name);
  if (table == nullptr) return TableNotFound(name);
  if (table->deletion_protection) {
    return ValidationError(
        "Resource cannot be deleted as it is currently protected against "
        "deletion. Disable deletion protection first.");
  }
  std::string answer = "{\"TableDescription\":";
  AppendDescription(*table, DescriptionOf::kDeleted, database.Now(), answer);
  answer += '}';
  database.RemoveTable(*table);
  return answer;
}

absl::StatusOr<Work> PrepareDeleteTable(const Json::Value& json,
                                        const RequestContext& context) {
  return [region = context.region, name = json["TableName"].asString()](
             Database& database) { return Delete(database, region, name); };
}

}  // namespace

const Operation kDeleteTable = {"DeleteTable", DeleteTableShape,
                                PrepareDeleteTable};

}  // namespace byoshin::local::dynamodb
