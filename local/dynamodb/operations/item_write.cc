#include "local/dynamodb/operations/item_write.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/key_encoding.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int64_t kBytesPerGigabyte = int64_t{1} << 30;

absl::Status ConditionFailed(const ItemWrite& write,
                             const std::optional<Item>& before) {
  std::string item_json;
  if (before && write.on_failure == ReturnOnFailure::kOldItem) {
    AppendJson(*before, item_json);
  }
  return ConditionalCheckFailed(item_json);
}

// The bytes under all keys that begin with `prefix`.
int64_t BytesUnder(Database& database, const std::string& prefix) {
  int64_t bytes = 0;
  (void)database.store().Scan(PrefixRange(prefix), Store::Direction::kForward,
                              [&](absl::string_view, absl::string_view value) {
                                bytes += value.size();
                                return Store::Visit::kContinue;
                              });
  return bytes;
}

const AttributeValue& HashKeyOf(const PlannedWrite& plan) {
  const Item& item = plan.after ? *plan.after : *plan.before;
  return *item.Find(plan.table->keys.hash[0].name);
}

}  // namespace

ReturnOnFailure ReadReturnOnFailure(const Json::Value& request) {
  return request["ReturnValuesOnConditionCheckFailure"].asString() == "ALL_OLD"
             ? ReturnOnFailure::kOldItem
             : ReturnOnFailure::kNothing;
}

absl::Status CheckWrite(const Table& table, const ItemWrite& write) {
  absl::Status status = write.kind == ItemWrite::Kind::kPut
                            ? CheckItem(table, write.item)
                            : CheckKey(table, write.item);
  if (status.ok() && write.update) status = CheckUpdate(table, *write.update);
  return status;
}

absl::StatusOr<PlannedWrite> PlanWrite(Database& database, Table& table,
                                       const ItemWrite& write) {
  PlannedWrite plan{
      .table = &table, .kind = write.kind, .place = PlaceOf(table, write.item)};
  absl::StatusOr<std::optional<Item>> before =
      ReadItem(database, table, plan.place);
  if (!before.ok()) return before.status();
  plan.before = *std::move(before);
  if (write.condition &&
      !write.condition->Evaluate(plan.before ? &*plan.before : nullptr)) {
    return ConditionFailed(write, plan.before);
  }
  // There is nothing to remove, which AWS treats as success.
  if (!plan.before && write.update && !write.update->CreatesItem()) return plan;
  if (write.kind == ItemWrite::Kind::kPut) {
    plan.after = write.item;
  } else if (write.kind == ItemWrite::Kind::kUpdate) {
    const Item& base = plan.before ? *plan.before : write.item;
    if (!write.update) {
      plan.after = base;
      return plan;
    }
    absl::StatusOr<Item> after = write.update->Apply(base);
    if (!after.ok()) return after.status();
    if (absl::Status status = CheckUpdatedItem(table, *after); !status.ok()) {
      return status;
    }
    plan.after = *std::move(after);
  }
  return plan;
}

WriteUnits Perform(Database& database, const PlannedWrite& plan) {
  return WriteItem(database, *plan.table, plan.place,
                   {.before = plan.before ? &*plan.before : nullptr,
                    .after = plan.after ? &*plan.after : nullptr});
}

WriteAnswer ReadWriteAnswer(const Json::Value& request) {
  return {.capacity =
              ParseCapacityDetail(request["ReturnConsumedCapacity"].asString()),
          .item_collection_metrics =
              request["ReturnItemCollectionMetrics"].asString() == "SIZE"};
}

void PerformAndReport(Database& database, const PlannedWrite& plan,
                      const WriteAnswer& wanted, std::string& out) {
  const WriteUnits units = Perform(database, plan);
  if (wanted.capacity != CapacityDetail::kNone) {
    Capacity capacity;
    capacity.AddWrite(units, /*factor=*/1);
    AppendCapacityMember(capacity, plan.table->name, wanted.capacity, out);
  }
  if (wanted.item_collection_metrics && HasItemCollections(*plan.table) &&
      (plan.before || plan.after)) {
    out += "\"ItemCollectionMetrics\":";
    AppendItemCollectionMetrics(database, plan, out);
    out += ',';
  }
}

bool HasItemCollections(const Table& table) {
  for (const Index& index : table.indexes) {
    if (index.kind == IndexKind::kLocal) return true;
  }
  return false;
}

void AppendItemCollectionMetrics(Database& database, const PlannedWrite& plan,
                                 std::string& out) {
  const Table& table = *plan.table;
  const AttributeValue& hash = HashKeyOf(plan);
  std::string partition;
  AppendHashKey(hash, partition);
  int64_t bytes = BytesUnder(
      database, absl::StrCat(store_keys::ItemPrefix(table), partition));
  for (const Index& index : table.indexes) {
    if (index.kind != IndexKind::kLocal) continue;
    bytes += BytesUnder(
        database,
        absl::StrCat(store_keys::IndexPrefix(table, index), partition));
  }
  const int64_t gigabytes = bytes / kBytesPerGigabyte;
  Item key;
  key.Set(table.keys.hash[0].name, hash);
  out += "{\"ItemCollectionKey\":";
  AppendJson(key, out);
  absl::StrAppend(&out, ",\"SizeEstimateRangeGB\":[", gigabytes, ",",
                  gigabytes + 1, "]}");
}

}  // namespace byoshin::local::dynamodb
