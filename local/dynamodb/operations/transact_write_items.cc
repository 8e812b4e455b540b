// TransactWriteItems
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
#include <json/json.h>

#include <array>
#include <cstddef>
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
#include "core/crypto/sha256.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/engine/tokens.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/transaction.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {
namespace {

// Each unit is counted twice: once to prepare, once to commit.
constexpr double kUnitFactor = 2;
constexpr int kMaxTokenLength = 36;

struct TransactWriteItemsRequest {
  std::string region{};
  std::vector<ItemWrite> writes{};
  WriteAnswer answer{};
  std::string token{};  // may be empty
  std::string digest{};
};

Shape ActionShape(const char* name, Fields own_fields) {
  own_fields.emplace_back("TableName", TableName());
  own_fields.emplace_back("ReturnValuesOnConditionCheckFailure",
                          ReturnValuesOnConditionCheckFailure());
  own_fields.emplace_back("ExpressionAttributeValues", AttributeMap());
  own_fields.emplace_back("ExpressionAttributeNames", AttributeNames());
  return Struct(name, std::move(own_fields));
}

const Shape& TransactWriteItemsShape() {
  static const auto* shape = new Shape(Struct(
      "TransactWriteItemsInput",
      {{"ClientRequestToken", String().Length(1, kMaxTokenLength)},
       {"ReturnConsumedCapacity", ReturnConsumedCapacity()},
       {"ReturnItemCollectionMetrics", ReturnItemCollectionMetrics()},
       {"TransactItems",
        List(Struct(
                 "TransactWriteItem",
                 {{"ConditionCheck",
                   ActionShape("ConditionCheck",
                               {{"Key", AttributeMap().Required()},
                                {"ConditionExpression", String().Required()}})},
                  {"Put",
                   ActionShape("Put", {{"Item", AttributeMap().Required()},
                                       {"ConditionExpression", String()}})},
                  {"Delete",
                   ActionShape("Delete", {{"Key", AttributeMap().Required()},
                                          {"ConditionExpression", String()}})},
                  {"Update",
                   ActionShape("Update",
                               {{"Key", AttributeMap().Required()},
                                {"UpdateExpression", String().Required()},
                                {"ConditionExpression", String()}})}}))
            .Required()
            .Length(1, kMaxTransactionActions)}}));
  return *shape;
}

absl::StatusOr<ItemWrite> ReadAction(ItemWrite::Kind kind,
                                     const Json::Value& json) {
  ExpressionParameters parameters = {.expressions = {"ConditionExpression"},
                                     .value_wording = ValueWording::kOlder};
  if (kind == ItemWrite::Kind::kUpdate) {
    parameters.expressions = {"UpdateExpression", "ConditionExpression"};
  }
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  absl::StatusOr<Item> item =
      kind == ItemWrite::Kind::kPut
          ? ReadNewItem(json["Item"])
          : ItemFromJson(json["Key"], ValueWording::kOlder);
  if (!item.ok()) return item.status();
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  return ItemWrite{.kind = kind,
                   .table_name = json["TableName"].asString(),
                   .item = *std::move(item),
                   .condition = std::move(expressions->condition),
                   .update = std::move(expressions->update),
                   .on_failure = ReadReturnOnFailure(json)};
}

absl::StatusOr<ItemWrite> ReadTransactItem(const Json::Value& json) {
  struct Action {
    const char* name;
    ItemWrite::Kind kind;
  };
  constexpr std::array<Action, 4> kActions = {
      {{"ConditionCheck", ItemWrite::Kind::kConditionCheck},
       {"Put", ItemWrite::Kind::kPut},
       {"Delete", ItemWrite::Kind::kDelete},
       {"Update", ItemWrite::Kind::kUpdate}}};
  const Action* found = nullptr;
  int count = 0;
  for (const Action& action : kActions) {
    if (!Has(json, action.name)) continue;
    found = &action;
    ++count;
  }
  if (count != 1) {
    return ValidationError(
        "TransactItems can only contain one of Check, Put, Update or Delete");
  }
  return ReadAction(found->kind, json[found->name]);
}

// The reasons if the action at `index` is the first that does not match its
// table. AWS looks no further.
absl::Status CancelFor(size_t index, const absl::Status& status, size_t count) {
  Cancellation cancellation;
  for (size_t i = 0; i < count; ++i) {
    cancellation.Add(i == index ? status : absl::OkStatus());
  }
  return cancellation.ToStatus();
}

// Checks all actions against their tables, which exist.
absl::Status CheckAll(Database& database,
                      const TransactWriteItemsRequest& request) {
  std::set<std::pair<const Table*, std::string>> seen;
  for (size_t i = 0; i < request.writes.size(); ++i) {
    const ItemWrite& write = request.writes[i];
    const Table* table = database.FindTable(request.region, write.table_name);
    // An empty key is an error of the request, not of the action.
    if (write.kind != ItemWrite::Kind::kPut &&
        HasEmptyKey(*table, write.item)) {
      return CheckKey(*table, write.item);
    }
    absl::Status status = CheckWrite(*table, write);
    if (!status.ok()) return CancelFor(i, status, request.writes.size());
    if (!seen.emplace(table, PlaceOf(*table, write.item)).second) {
      return RepeatedItemInTransaction();
    }
  }
  return absl::OkStatus();
}

// Plans all actions, or returns the reason for each that fails.
absl::StatusOr<std::vector<PlannedWrite>> PlanAll(
    Database& database, const TransactWriteItemsRequest& request) {
  for (const ItemWrite& write : request.writes) {
    if (database.FindTable(request.region, write.table_name) == nullptr) {
      return ResourceNotFound();
    }
  }
  absl::Status status = CheckAll(database, request);
  if (!status.ok()) return status;
  std::vector<PlannedWrite> plans;
  Cancellation cancellation;
  int64_t bytes = 0;
  for (const ItemWrite& write : request.writes) {
    Table* table = database.FindTable(request.region, write.table_name);
    absl::StatusOr<PlannedWrite> plan = PlanWrite(database, *table, write);
    cancellation.Add(plan.status());
    if (!plan.ok()) continue;
    if (plan->after) bytes += SizeBytes(*plan->after);
    plans.push_back(*std::move(plan));
  }
  if (cancellation.is_cancelled()) return cancellation.ToStatus();
  if (bytes > kMaxTransactionBytes) return TransactionTooLarge();
  return plans;
}

void AppendCapacities(const std::map<std::string, Capacity>& capacities,
                      const TransactWriteItemsRequest& request,
                      CapacityKind kind, std::string& out) {
  if (request.answer.capacity == CapacityDetail::kNone) return;
  out += "\"ConsumedCapacity\":[";
  for (const auto& [name, capacity] : capacities) {
    capacity.AppendJson(name, request.answer.capacity, kind, out);
    out += ',';
  }
  out.back() = ']';
  out += ',';
}

void AppendTransactionCollections(Database& database,
                                  const std::vector<PlannedWrite>& plans,
                                  std::string& out) {
  std::map<std::string, std::string> by_table;
  for (const PlannedWrite& plan : plans) {
    if (plan.kind == ItemWrite::Kind::kConditionCheck ||
        !HasItemCollections(*plan.table) || (!plan.before && !plan.after)) {
      continue;
    }
    std::string& list = by_table[plan.table->name];
    if (!list.empty()) list += ',';
    AppendItemCollectionMetrics(database, plan, list);
  }
  if (by_table.empty()) return;
  out += "\"ItemCollectionMetrics\":{";
  for (const auto& [name, list] : by_table) {
    json::AppendQuoted(name, out);
    absl::StrAppend(&out, ":[", list, "],");
  }
  out.back() = '}';
  out += ',';
}

// The answer to a repeated transaction: it uses the capacity of reading its
// items.
absl::StatusOr<std::string> AnswerRepeated(
    Database& database, const TransactWriteItemsRequest& request) {
  std::map<std::string, Capacity> capacities;
  for (const ItemWrite& write : request.writes) {
    const Table* table = database.FindTable(request.region, write.table_name);
    if (table == nullptr || !CheckWrite(*table, write).ok()) continue;
    absl::StatusOr<std::optional<Item>> item =
        ReadItem(database, *table, PlaceOf(*table, write.item));
    if (!item.ok()) return item.status();
    capacities[table->name].AddTable(ReadUnits(
        item->has_value() ? SizeBytes(**item) : 0, Consistency::kTransaction));
  }
  std::string answer = "{";
  if (!capacities.empty()) {
    AppendCapacities(capacities, request, CapacityKind::kRead, answer);
  }
  CloseObject(answer);
  return answer;
}

WriteUnits PerformAction(Database& database, const PlannedWrite& plan) {
  if (plan.kind != ItemWrite::Kind::kConditionCheck) {
    return Perform(database, plan);
  }
  constexpr int64_t kWriteUnitBytes = 1024;
  const int64_t bytes = plan.before ? SizeBytes(*plan.before) : 1;
  return {.table = (bytes + kWriteUnitBytes - 1) / kWriteUnitBytes};
}

absl::StatusOr<std::string> Run(Database& database,
                                const TransactWriteItemsRequest& request) {
  if (!request.token.empty()) {
    absl::StatusOr<std::optional<std::string>> done =
        FindToken(database, request.region, request.token);
    if (!done.ok()) return done.status();
    if (done->has_value() && **done != request.digest) {
      return ServiceError({.code = "IdempotentParameterMismatchException",
                           .message = "The request uses the same client token "
                                      "as a previous, but non-identical "
                                      "request."});
    }
    if (done->has_value()) return AnswerRepeated(database, request);
  }
  absl::StatusOr<std::vector<PlannedWrite>> plans = PlanAll(database, request);
  if (!plans.ok()) return plans.status();

  std::map<std::string, Capacity> capacities;
  for (const PlannedWrite& plan : *plans) {
    capacities[plan.table->name].AddWrite(PerformAction(database, plan),
                                          kUnitFactor);
  }
  if (!request.token.empty()) {
    SaveToken(database, request.region, request.token, request.digest);
  }
  std::string answer = "{";
  AppendCapacities(capacities, request, CapacityKind::kWrite, answer);
  if (request.answer.item_collection_metrics) {
    AppendTransactionCollections(database, *plans, answer);
  }
  CloseObject(answer);
  return answer;
}

absl::StatusOr<Work> PrepareTransactWriteItems(const Json::Value& json,
                                               const RequestContext& context) {
  auto request = std::make_shared<TransactWriteItemsRequest>();
  request->region = context.region;
  request->answer = ReadWriteAnswer(json);
  request->token = json["ClientRequestToken"].asString();
  if (!request->token.empty()) {
    const crypto::Sha256Digest digest =
        crypto::Sha256(json::WriteValue(json["TransactItems"]));
    request->digest.assign(digest.begin(), digest.end());
  }
  for (const Json::Value& element : json["TransactItems"]) {
    absl::StatusOr<ItemWrite> write = ReadTransactItem(element);
    if (!write.ok()) return write.status();
    request->writes.push_back(*std::move(write));
  }
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kTransactWriteItems = {
    "TransactWriteItems", TransactWriteItemsShape, PrepareTransactWriteItems};

}  // namespace byoshin::local::dynamodb
