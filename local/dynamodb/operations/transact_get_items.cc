// TransactGetItems
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html
#include <json/json.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/transaction.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

struct Get {
  std::string table_name{};
  Item key{};
  std::optional<ProjectionExpression> projection{};
};

struct TransactGetItemsRequest {
  std::string region{};
  std::vector<Get> gets{};
  CapacityDetail capacity = CapacityDetail::kNone;
};

const Shape& TransactGetItemsShape() {
  static const auto* shape = new Shape(Struct(
      "TransactGetItemsInput",
      {{"TransactItems",
        List(Struct("TransactGetItem",
                    {{"Get", Struct("Get", {{"Key", AttributeMap().Required()},
                                            {"TableName", TableName()},
                                            {"ProjectionExpression", String()},
                                            {"ExpressionAttributeNames",
                                             AttributeNames()}})
                                 .Required()}}))
            .Required()
            .Length(1, kMaxTransactionActions)},
       {"ReturnConsumedCapacity", ReturnConsumedCapacity()}}));
  return *shape;
}

absl::Status CheckAgainstTables(Database& database,
                                const TransactGetItemsRequest& request) {
  for (const Get& get : request.gets) {
    if (database.FindTable(request.region, get.table_name) == nullptr) {
      return ResourceNotFound();
    }
  }
  Cancellation cancellation;
  std::set<std::pair<const Table*, std::string>> seen;
  for (const Get& get : request.gets) {
    const Table* table = database.FindTable(request.region, get.table_name);
    absl::Status status = CheckKey(*table, get.key);
    if (status.ok() && get.projection) {
      status = CheckKeyPaths(*table, get.projection->paths());
    }
    cancellation.Add(status);
    if (status.ok() && !seen.emplace(table, PlaceOf(*table, get.key)).second) {
      return RepeatedItemInTransaction();
    }
  }
  return cancellation.is_cancelled() ? cancellation.ToStatus()
                                     : absl::OkStatus();
}

absl::StatusOr<std::string> Run(Database& database,
                                const TransactGetItemsRequest& request) {
  absl::Status status = CheckAgainstTables(database, request);
  if (!status.ok()) return status;
  std::map<std::string, Capacity> capacities;
  int64_t total_bytes = 0;
  std::string answer = "{\"Responses\":[";
  for (const Get& get : request.gets) {
    const Table& table = *database.FindTable(request.region, get.table_name);
    absl::StatusOr<std::optional<Item>> item =
        ReadItem(database, table, PlaceOf(table, get.key));
    if (!item.ok()) return item.status();
    const int64_t bytes = item->has_value() ? SizeBytes(**item) : 0;
    total_bytes += bytes;
    if (total_bytes > kMaxTransactionBytes) return TransactionTooLarge();
    capacities[table.name].AddTable(
        ReadUnits(bytes, Consistency::kTransaction));
    answer += '{';
    if (item->has_value()) {
      answer += "\"Item\":";
      AppendJson(
          get.projection ? get.projection->Project(**item) : **std::move(item),
          answer);
    }
    answer += "},";
  }
  answer.back() = ']';
  if (request.capacity != CapacityDetail::kNone) {
    answer += ",\"ConsumedCapacity\":[";
    for (const auto& [name, capacity] : capacities) {
      capacity.AppendJson(name, request.capacity, CapacityKind::kRead, answer);
      answer += ',';
    }
    answer.back() = ']';
  }
  answer += '}';
  return answer;
}

absl::StatusOr<Get> ReadGet(const Json::Value& json) {
  const ExpressionParameters parameters = {
      .expressions = {"ProjectionExpression"}};
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  absl::StatusOr<Item> key = ItemFromJson(json["Key"], ValueWording::kOlder);
  if (!key.ok()) return key.status();
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  return Get{.table_name = json["TableName"].asString(),
             .key = *std::move(key),
             .projection = std::move(expressions->projection)};
}

absl::StatusOr<Work> PrepareTransactGetItems(const Json::Value& json,
                                             const RequestContext& context) {
  auto request = std::make_shared<TransactGetItemsRequest>();
  request->region = context.region;
  request->capacity =
      ParseCapacityDetail(json["ReturnConsumedCapacity"].asString());
  for (const Json::Value& element : json["TransactItems"]) {
    absl::StatusOr<Get> get = ReadGet(element["Get"]);
    if (!get.ok()) return get.status();
    request->gets.push_back(*std::move(get));
  }
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kTransactGetItems = {"TransactGetItems", TransactGetItemsShape,
                                     PrepareTransactGetItems};

}  // namespace byoshin::local::dynamodb
