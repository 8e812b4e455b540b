// ListTables
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html
#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/text.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int kMaxNames = 100;

const Shape& ListTablesShape() {
  static const auto* shape = new Shape(
      Struct("ListTablesInput",
             {{"Limit", Integer().Range(1, kMaxNames)},
              {"ExclusiveStartTableName", String().Name().Length(3, 255)}}));
  return *shape;
}

absl::StatusOr<std::string> Run(Database& database, const std::string& region,
                                const std::string& after, int limit) {
  const Database::Tables& tables = database.TablesOf(region);
  std::string names;
  std::string last;
  int count = 0;
  auto table = tables.upper_bound(after);
  for (; table != tables.end() && count < limit; ++table, ++count) {
    json::AppendQuoted(table->first, names);
    names += ',';
    last = table->first;
  }
  if (!names.empty()) names.pop_back();
  std::string answer = absl::StrCat("{\"TableNames\":[", names, "]");
  if (table != tables.end()) {
    answer += ",\"LastEvaluatedTableName\":";
    json::AppendQuoted(last, answer);
  }
  answer += '}';
  return answer;
}

absl::StatusOr<Work> PrepareListTables(const Json::Value& json,
                                       const RequestContext& context) {
  const int limit = Has(json, "Limit") ? json["Limit"].asInt() : kMaxNames;
  return [region = context.region,
          after = json["ExclusiveStartTableName"].asString(),
          limit](Database& database) {
    return Run(database, region, after, limit);
  };
}

}  // namespace

const Operation kListTables = {"ListTables", ListTablesShape,
                               PrepareListTables};

}  // namespace byoshin::local::dynamodb
