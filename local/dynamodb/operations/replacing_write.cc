#include "local/dynamodb/operations/replacing_write.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

struct Request {
  ItemWrite write{};
  WriteAnswer answer{};
  bool return_old = false;
};

absl::StatusOr<std::string> Run(Database& database, const std::string& region,
                                const Request& request) {
  if (request.write.kind == ItemWrite::Kind::kPut &&
      SizeBytes(request.write.item) > kMaxItemBytes) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  Table* table = database.FindTable(region, request.write.table_name);
  if (table == nullptr) return ResourceNotFound();
  absl::Status status = CheckWrite(*table, request.write);
  if (!status.ok()) return status;
  absl::StatusOr<PlannedWrite> plan =
      PlanWrite(database, *table, request.write);
  if (!plan.ok()) return plan.status();
  std::string answer = "{";
  PerformAndReport(database, *plan, request.answer, answer);
  if (request.return_old && plan->before) {
    answer += "\"Attributes\":";
    AppendJson(*plan->before, answer);
  }
  CloseObject(answer);
  return answer;
}

}  // namespace

absl::StatusOr<Work> PrepareReplacingWrite(const Json::Value& json,
                                           const RequestContext& context,
                                           ItemWrite::Kind kind) {
  const bool put = kind == ItemWrite::Kind::kPut;
  const ExpressionParameters parameters = {
      .expressions = {"ConditionExpression"},
      .legacy = {"Expected", "ConditionalOperator"},
      .names_missing_expressions = false};
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  status = CheckConditionalOperator(json, "Expected");
  if (!status.ok()) return status;
  absl::StatusOr<Item> item = ItemFromJson(json[put ? "Item" : "Key"]);
  if (!item.ok()) return item.status();
  const std::string return_values = json["ReturnValues"].asString();
  if (!return_values.empty() && return_values != "ALL_OLD" &&
      return_values != "NONE") {
    return ValidationError("ReturnValues can only be ALL_OLD or NONE");
  }
  absl::StatusOr<std::optional<ConditionExpression>> expected =
      ReadExpected(json);
  if (!expected.ok()) return expected.status();
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  if (*expected) expressions->condition = *std::move(expected);

  auto request = std::make_shared<Request>();
  request->write = {.kind = kind,
                    .table_name = json["TableName"].asString(),
                    .item = *std::move(item),
                    .condition = std::move(expressions->condition),
                    .on_failure = ReadReturnOnFailure(json)};
  request->answer = ReadWriteAnswer(json);
  request->return_old = return_values == "ALL_OLD";
  return [request, region = context.region](Database& database) {
    return Run(database, region, *request);
  };
}

}  // namespace byoshin::local::dynamodb
