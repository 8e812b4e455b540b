#include "local/dynamodb/in_process.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/async/await.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/operations/item_write.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/key_encoding.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

std::optional<RangeCondition> ConditionOf(const RangeQuery& query) {
  if (query.from && query.to) {
    return RangeCondition{RangeOperator::kBetween, *query.from, *query.to};
  }
  if (query.from) {
    return RangeCondition{RangeOperator::kGreaterOrEqual, *query.from, {}};
  }
  if (query.to) {
    return RangeCondition{RangeOperator::kLessOrEqual, *query.to, {}};
  }
  return std::nullopt;
}

absl::Status CheckQuery(const Table& table, const RangeQuery& query) {
  bool fits = query.hash.type() == table.keys.hash[0].type;
  for (const std::optional<AttributeValue>* bound : {&query.from, &query.to}) {
    if (!bound->has_value()) continue;
    fits = fits && !table.keys.range.empty() &&
           (*bound)->type() == table.keys.range[0].type;
  }
  if (fits) return absl::OkStatus();
  return InvalidParameter(
      "Condition parameter type does not match schema type");
}

absl::Status ReadRange(Database& database, const Table& table,
                       const RangeQuery& query, std::vector<Item>& items) {
  std::string partition = store_keys::ItemPrefix(table);
  AppendHashKey(query.hash, partition);
  const ByteRange range = SelectRange(partition, ConditionOf(query));
  if (range.begin >= range.end) return absl::OkStatus();
  absl::Status damage;
  const absl::Status scanned = database.store().Scan(
      {range.begin, range.end}, Store::Direction::kForward,
      [&](absl::string_view, absl::string_view value) {
        if (query.limit && static_cast<int64_t>(items.size()) >= *query.limit) {
          return Store::Visit::kStop;
        }
        absl::StatusOr<Item> item = DeserializeItem(value);
        if (!item.ok()) {
          damage = item.status();
          return Store::Visit::kStop;
        }
        items.push_back(*std::move(item));
        return Store::Visit::kContinue;
      });
  return scanned.ok() ? damage : scanned;
}

}  // namespace

absl::StatusOr<std::string> InProcessClient::Run(Work work) {
  return async::Await<absl::StatusOr<std::string>>(
      [&](auto done) { dynamodb_.Submit(std::move(work), std::move(done)); });
}

absl::StatusOr<std::string> InProcessClient::Execute(
    absl::string_view operation, absl::string_view request) {
  const Operation* found = FindOperation(operation);
  if (found == nullptr) {
    absl::Status status = CheckSupported(operation);
    if (!status.ok()) return status;
    return absl::InvalidArgumentError(
        absl::StrCat("DynamoDB has no operation ", operation));
  }
  absl::StatusOr<Work> work =
      Prepare(*found, json::ParseValue(request), {.region = region_});
  if (!work.ok()) return work.status();
  return Run(*std::move(work));
}

absl::StatusOr<std::string> InProcessClient::CreateTable(
    absl::string_view request) {
  return Execute("CreateTable", request);
}

absl::StatusOr<std::string> InProcessClient::UpdateTable(
    absl::string_view request) {
  return Execute("UpdateTable", request);
}

absl::Status InProcessClient::DeleteTable(absl::string_view table_name) {
  std::string request = "{\"TableName\":";
  json::AppendQuoted(table_name, request);
  request += '}';
  return Execute("DeleteTable", request).status();
}

absl::Status InProcessClient::PutItem(absl::string_view table_name, Item item) {
  ItemWrite write{.kind = ItemWrite::Kind::kPut,
                  .table_name = std::string(table_name),
                  .item = std::move(item)};
  if (SizeBytes(write.item) > kMaxItemBytes) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  return Run([&](Database& database) -> absl::StatusOr<std::string> {
           Table* table = database.FindTable(region_, write.table_name);
           if (table == nullptr) return ResourceNotFound();
           absl::Status status = CheckWrite(*table, write);
           if (!status.ok()) return status;
           absl::StatusOr<PlannedWrite> plan =
               PlanWrite(database, *table, write);
           if (!plan.ok()) return plan.status();
           Perform(database, *plan);
           return std::string();
         })
      .status();
}

absl::StatusOr<std::vector<Item>> InProcessClient::Query(
    const RangeQuery& query) {
  std::vector<Item> items;
  absl::Status status =
      Run([&](Database& database) -> absl::StatusOr<std::string> {
        const Table* table = database.FindTable(region_, query.table_name);
        if (table == nullptr) return ResourceNotFound();
        absl::Status status = CheckQuery(*table, query);
        if (status.ok()) status = ReadRange(database, *table, query, items);
        if (!status.ok()) return status;
        return std::string();
      }).status();
  if (!status.ok()) return status;
  return items;
}

absl::StatusOr<int64_t> InProcessClient::Count(absl::string_view table_name) {
  int64_t count = 0;
  absl::Status status =
      Run([&](Database& database) -> absl::StatusOr<std::string> {
        const Table* table = database.FindTable(region_, table_name);
        if (table == nullptr) return ResourceNotFound();
        count = table->counters.items;
        return std::string();
      }).status();
  if (!status.ok()) return status;
  return count;
}

}  // namespace byoshin::local::dynamodb
