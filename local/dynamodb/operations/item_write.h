// The write of an item, in a single operation, a batch or a transaction.
//
//   absl::Status status = CheckWrite(*table, write);     // against the schema
//   absl::StatusOr<PlannedWrite> plan = PlanWrite(database, *table, write);
//   if (!plan.ok()) return plan.status();                 // condition not met
//   WriteUnits units = Perform(database, *plan);
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_ITEM_WRITE_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_ITEM_WRITE_H_

#include <json/forwards.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

enum class ReturnOnFailure { kNothing, kOldItem };

struct ItemWrite {
  enum class Kind { kPut, kUpdate, kDelete, kConditionCheck };

  Kind kind = Kind::kPut;
  std::string table_name{};
  // The item to put; for the others, the key.
  Item item{};
  std::optional<ConditionExpression> condition{};
  std::optional<UpdateExpression> update{};
  ReturnOnFailure on_failure = ReturnOnFailure::kNothing;
};

ReturnOnFailure ReadReturnOnFailure(const Json::Value& request);

// Checks that the attributes match the table's keys and indexes.
absl::Status CheckWrite(const Table& table, const ItemWrite& write);

// A write that is planned but not performed.
struct PlannedWrite {
  Table* table = nullptr;
  ItemWrite::Kind kind = ItemWrite::Kind::kPut;
  std::string place{};
  std::optional<Item> before{};
  std::optional<Item> after{};
};

// `write` must have been checked. ConditionalCheckFailed if the item fails the
// condition; ValidationError if the update does not match the item.
absl::StatusOr<PlannedWrite> PlanWrite(Database& database, Table& table,
                                       const ItemWrite& write);

WriteUnits Perform(Database& database, const PlannedWrite& plan);

// The common part of the answers of single writes.
struct WriteAnswer {
  CapacityDetail capacity = CapacityDetail::kNone;
  bool item_collection_metrics = false;
};
WriteAnswer ReadWriteAnswer(const Json::Value& request);

// Performs the write and appends "ConsumedCapacity" and "ItemCollectionMetrics"
// if requested, each with a trailing comma.
void PerformAndReport(Database& database, const PlannedWrite& plan,
                      const WriteAnswer& wanted, std::string& out);

// {"ItemCollectionKey":...,"SizeEstimateRangeGB":[...]}; the table must have a
// local index.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html
void AppendItemCollectionMetrics(Database& database, const PlannedWrite& plan,
                                 std::string& out);
bool HasItemCollections(const Table& table);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_ITEM_WRITE_H_
