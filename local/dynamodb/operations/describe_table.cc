// DescribeTable
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html
#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "local/dynamodb/engine/table_json.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& DescribeTableShape() {
  static const auto* shape = new Shape(
      Struct("DescribeTableInput", {{"TableName", ControlTableName()}}));
  return *shape;
}

absl::StatusOr<std::string> Describe(Database& database,
                                     const std::string& region,
                                     const std::string& name) {
  const Table* table = database.FindTable(region, name);
  if (table == nullptr) return TableNotFound(name);
  std::string answer = "{\"Table\":";
  AppendDescription(*table, DescriptionOf::kExisting, database.Now(), answer);
  answer += '}';
  return answer;
}

absl::StatusOr<Work> PrepareDescribeTable(const Json::Value& json,
                                          const RequestContext& context) {
  return [region = context.region, name = json["TableName"].asString()](
             Database& database) { return Describe(database, region, name); };
}

}  // namespace

const Operation kDescribeTable = {"DescribeTable", DescribeTableShape,
                                  PrepareDescribeTable};

}  // namespace byoshin::local::dynamodb
