// CreateTable
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html
#include <json/json.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "local/dynamodb/engine/table_json.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/table_definition.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& CreateTableShape() {
  static const auto* shape = new Shape(
      Struct("CreateTableInput",
             {{"AttributeDefinitions", AttributeDefinitionsShape().Required()},
              {"TableName", ControlTableName()},
              {"BillingMode", BillingModeShape()},
              {"ProvisionedThroughput", ThroughputShape()},
              {"OnDemandThroughput", OnDemandThroughputShape()},
              {"WarmThroughput", WarmThroughputShape()},
              {"KeySchema", KeySchemaShape()},
              {"GlobalSecondaryIndexes",
               List(Struct("GlobalSecondaryIndex",
                           {{"IndexName", IndexName().Required()},
                            {"KeySchema", GlobalKeySchemaShape()},
                            {"Projection", ProjectionShape().Required()},
                            {"ProvisionedThroughput", ThroughputShape()},
                            {"OnDemandThroughput", OnDemandThroughputShape()},
                            {"WarmThroughput", WarmThroughputShape()}}))},
              {"LocalSecondaryIndexes",
               List(Struct("LocalSecondaryIndex",
                           {{"IndexName", IndexName().Required()},
                            {"KeySchema", KeySchemaShape()},
                            {"Projection", ProjectionShape().Required()}}))},
              {"StreamSpecification", StreamShape()},
              {"SSESpecification", EncryptionShape()},
              {"Tags", TagsShape()},
              {"TableClass", TableClassShape()},
              {"DeletionProtectionEnabled", Boolean()},
              {"GlobalTableSettingsReplicationMode", ReplicationModeShape()}}));
  return *shape;
}

absl::StatusOr<std::string> Run(Database& database, const Table& definition) {
  if (database.FindTable(definition.region, definition.name) != nullptr) {
    return ResourceInUse(
        absl::StrCat("Table already exists: ", definition.name));
  }
  Table table = definition;
  if (table.billing == BillingMode::kPayPerRequest) {
    table.pay_per_request_since = database.Now();
  }
  const Table& added = database.AddTable(std::move(table));
  std::string answer = "{\"TableDescription\":";
  AppendDescription(added, DescriptionOf::kCreated, database.Now(), answer);
  answer += '}';
  return answer;
}

absl::StatusOr<Work> PrepareCreateTable(const Json::Value& json,
                                        const RequestContext& context) {
  absl::Status status = CheckTableDefinition(json);
  if (!status.ok()) return status;
  auto table = std::make_shared<Table>();
  ReadDefinition(json, *table);
  table->region = context.region;
  // The new table may be named by the ARN that it will have.
  if (absl::StartsWith(table->name, "arn:")) {
    table->name.erase(0, table->name.rfind('/') + 1);
  }
  return [table](Database& database) { return Run(database, *table); };
}

}  // namespace

const Operation kCreateTable = {"CreateTable", CreateTableShape,
                                PrepareCreateTable};

}  // namespace byoshin::local::dynamodb
