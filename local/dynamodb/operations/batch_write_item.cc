// BatchWriteItem
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
#include <json/json.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/json/text.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int kMaxWrites = 25;

struct BatchWriteItemRequest {
  std::string region{};
  std::vector<ItemWrite> writes{};  // those of one table follow each other
  WriteAnswer answer{};
};

const Shape& BatchWriteItemShape() {
  static const auto* shape = new Shape(Struct(
      "BatchWriteItemInput",
      {{"ReturnConsumedCapacity", ReturnConsumedCapacity()},
       {"ReturnItemCollectionMetrics", ReturnItemCollectionMetrics()},
       {"RequestItems",
        Map("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>",
            List(Struct("WriteRequest",
                        {{"DeleteRequest",
                          Struct("DeleteRequest",
                                 {{"Key", AttributeMap().Required()}})},
                         {"PutRequest",
                          Struct("PutRequest",
                                 {{"Item", AttributeMap().Required()}})}})))
            .Required()
            .KeysAreNames()
            .ValueLength(kMaxWrites)}}));
  return *shape;
}

absl::StatusOr<ItemWrite> ReadWrite(const std::string& table_name,
                                    const Json::Value& json) {
  const bool puts = Has(json, "PutRequest");
  if (puts == Has(json, "DeleteRequest")) {
    return ValidationError(
        "Supplied AttributeValue has more than one datatypes set, must contain "
        "exactly one of the supported datatypes");
  }
  absl::StatusOr<Item> item =
      puts ? ReadNewItem(json["PutRequest"]["Item"])
           : ItemFromJson(json["DeleteRequest"]["Key"], ValueWording::kOlder);
  if (!item.ok()) return item.status();
  return ItemWrite{
      .kind = puts ? ItemWrite::Kind::kPut : ItemWrite::Kind::kDelete,
      .table_name = table_name,
      .item = *std::move(item)};
}

// In a batch, AWS reports these as errors of keys.
absl::Status AsBatchError(const absl::Status& status) {
  const std::string message = ErrorMessageOf(status);
  if (absl::StrContains(message, "Missing the key") ||
      absl::StrContains(message, "Type mismatch for key")) {
    return ValidationError(
        "The provided key element does not match the schema");
  }
  return status;
}

absl::StatusOr<std::vector<PlannedWrite>> PlanAll(
    Database& database, const BatchWriteItemRequest& request) {
  std::vector<PlannedWrite> plans;
  std::set<std::pair<const Table*, std::string>> seen;
  for (const ItemWrite& write : request.writes) {
    Table* table = database.FindTable(request.region, write.table_name);
    if (table == nullptr) return ResourceNotFound();
    absl::Status status = CheckWrite(*table, write);
    if (!status.ok()) return AsBatchError(status);
    absl::StatusOr<PlannedWrite> plan = PlanWrite(database, *table, write);
    if (!plan.ok()) return plan.status();
    if (!seen.emplace(table, plan->place).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
    plans.push_back(*std::move(plan));
  }
  return plans;
}

// "ItemCollectionMetrics":{"table":[...]}, by table and each collection once.
void AppendBatchCollections(Database& database,
                            const std::vector<PlannedWrite>& plans,
                            std::string& out) {
  std::map<std::string, std::set<std::string>> by_table;
  for (const PlannedWrite& plan : plans) {
    if (!HasItemCollections(*plan.table) || (!plan.before && !plan.after)) {
      continue;
    }
    std::string metrics;
    AppendItemCollectionMetrics(database, plan, metrics);
    by_table[plan.table->name].insert(std::move(metrics));
  }
  if (by_table.empty()) return;
  out += "\"ItemCollectionMetrics\":{";
  for (const auto& [name, collections] : by_table) {
    json::AppendQuoted(name, out);
    out += ":[";
    for (const std::string& metrics : collections) {
      absl::StrAppend(&out, metrics, ",");
    }
    out.back() = ']';
    out += ',';
  }
  out.back() = '}';
  out += ',';
}

absl::StatusOr<std::string> Run(Database& database,
                                const BatchWriteItemRequest& request) {
  absl::StatusOr<std::vector<PlannedWrite>> plans = PlanAll(database, request);
  if (!plans.ok()) return plans.status();
  std::map<std::string, Capacity> capacities;
  for (const PlannedWrite& plan : *plans) {
    capacities[plan.table->name].AddWrite(Perform(database, plan),
                                          /*factor=*/1);
  }
  std::string answer = "{\"UnprocessedItems\":{},";
  if (request.answer.item_collection_metrics) {
    AppendBatchCollections(database, *plans, answer);
  }
  if (request.answer.capacity != CapacityDetail::kNone) {
    answer += "\"ConsumedCapacity\":[";
    for (const auto& [name, capacity] : capacities) {
      capacity.AppendJson(name, request.answer.capacity, CapacityKind::kPlain,
                          answer);
      answer += ',';
    }
    answer.back() = ']';
  }
  CloseObject(answer);
  return answer;
}

absl::StatusOr<Work> PrepareBatchWriteItem(const Json::Value& json,
                                           const RequestContext& context) {
  auto request = std::make_shared<BatchWriteItemRequest>();
  request->region = context.region;
  request->answer = ReadWriteAnswer(json);
  const Json::Value& tables = json["RequestItems"];
  if (tables.empty()) {
    return ValidationError(
        "The requestItems parameter is required for BatchWriteItem");
  }
  for (const std::string& name : tables.getMemberNames()) {
    for (const Json::Value& element : tables[name]) {
      absl::StatusOr<ItemWrite> write = ReadWrite(name, element);
      if (!write.ok()) return write.status();
      request->writes.push_back(*std::move(write));
    }
  }
  if (request->writes.size() > kMaxWrites) {
    return ValidationError(
        "Too many items requested for the BatchWriteItem call");
  }
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kBatchWriteItem = {"BatchWriteItem", BatchWriteItemShape,
                                   PrepareBatchWriteItem};

}  // namespace byoshin::local::dynamodb
