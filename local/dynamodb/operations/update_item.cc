// UpdateItem
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html
#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

struct UpdateItemRequest {
  ItemWrite write{};
  WriteAnswer answer{};
  std::string return_values{};
};

const Shape& UpdateItemShape() {
  static const auto* shape = new Shape(
      Struct("UpdateItemInput",
             {{"ReturnConsumedCapacity", ReturnConsumedCapacity()},
              {"TableName", ItemTableName()},
              {"ReturnItemCollectionMetrics", ReturnItemCollectionMetrics()},
              {"ReturnValues", ReturnValues(Shape::Wording::kBriefAndAlone)},
              {"ReturnValuesOnConditionCheckFailure",
               ReturnValuesOnConditionCheckFailure()},
              {"ConditionalOperator", ConditionalOperatorShape()},
              {"Key", AttributeMap().Required()},
              {"Expected", ExpectedShape()},
              {"AttributeUpdates", AttributeUpdatesShape()},
              {"ConditionExpression", String()},
              {"UpdateExpression", String()},
              {"ExpressionAttributeValues", AttributeMap()},
              {"ExpressionAttributeNames", AttributeNames()}}));
  return *shape;
}

void AppendAttributes(const UpdateItemRequest& request,
                      const PlannedWrite& plan, std::string& out) {
  const std::string& wanted = request.return_values;
  const bool old = wanted == "ALL_OLD" || wanted == "UPDATED_OLD";
  const std::optional<Item>& source = old ? plan.before : plan.after;
  if (wanted.empty() || wanted == "NONE" || !source) return;
  Item projected;
  if (wanted == "UPDATED_OLD" || wanted == "UPDATED_NEW") {
    if (!request.write.update) return;
    projected = Project(request.write.update->paths(), *source);
    if (projected.empty()) return;
  }
  out += "\"Attributes\":";
  AppendJson(projected.empty() ? *source : projected, out);
}

absl::StatusOr<std::string> Run(Database& database, const std::string& region,
                                const UpdateItemRequest& request) {
  Table* table = database.FindTable(region, request.write.table_name);
  if (table == nullptr) return ResourceNotFound();
  absl::Status status = CheckWrite(*table, request.write);
  if (!status.ok()) return status;
  absl::StatusOr<PlannedWrite> plan =
      PlanWrite(database, *table, request.write);
  if (!plan.ok()) return plan.status();
  std::string answer = "{";
  PerformAndReport(database, *plan, request.answer, answer);
  AppendAttributes(request, *plan, answer);
  CloseObject(answer);
  return answer;
}

absl::StatusOr<Work> PrepareUpdateItem(const Json::Value& json,
                                       const RequestContext& context) {
  const ExpressionParameters parameters = {
      .expressions = {"UpdateExpression", "ConditionExpression"},
      .legacy = {"AttributeUpdates", "Expected", "ConditionalOperator"},
      .names_missing_expressions = false};
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  status = CheckConditionalOperator(json, "Expected");
  if (!status.ok()) return status;
  absl::StatusOr<Item> key = ItemFromJson(json["Key"]);
  if (!key.ok()) return key.status();
  absl::StatusOr<std::optional<UpdateExpression>> updates =
      ReadAttributeUpdates(json);
  if (!updates.ok()) return updates.status();
  absl::StatusOr<std::optional<ConditionExpression>> expected =
      ReadExpected(json);
  if (!expected.ok()) return expected.status();
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  if (*updates) expressions->update = *std::move(updates);
  if (*expected) expressions->condition = *std::move(expected);

  auto request = std::make_shared<UpdateItemRequest>();
  request->write = {.kind = ItemWrite::Kind::kUpdate,
                    .table_name = json["TableName"].asString(),
                    .item = *std::move(key),
                    .condition = std::move(expressions->condition),
                    .update = std::move(expressions->update),
                    .on_failure = ReadReturnOnFailure(json)};
  request->answer = ReadWriteAnswer(json);
  request->return_values = json["ReturnValues"].asString();
  return [request, region = context.region](Database& database) {
    return Run(database, region, *request);
  };
}

}  // namespace

const Operation kUpdateItem = {"UpdateItem", UpdateItemShape, PrepareUpdateItem,
                               ErrorForm::kEnveloped};

}  // namespace byoshin::local::dynamodb
