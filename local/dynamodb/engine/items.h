// Items and their index entries in the store.
//
//   std::string place = PlaceOf(table, key);
//   absl::StatusOr<std::optional<Item>> before =
//       ReadItem(database, table, place);
//   ...  // conditions, checks: nothing is changed yet
//   WriteUnits units = WriteItem(database, table, place,
//                                {.before = &**before, .after = &item});
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_ITEMS_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_ITEMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// An item's encoded primary key, which follows the table's prefix in the store.
// `item` must have been checked (see key_checks.h).
std::string PlaceOf(const Table& table, const Item& item);

// Likewise among the entries of `index`: its key, then a hash of the primary
// key, then the primary key.
std::string PlaceInIndex(const Table& table, const Index& index,
                         const Item& item);

// Only the attributes of the primary key.
Item PrimaryKeyOf(const Table& table, const Item& item);

// Whether the index has an entry for the item.
bool IsIndexed(const Index& index, const Item& item);

// The attributes of the item that the index projects.
Item ProjectToIndex(const Table& table, const Index& index, const Item& item);

absl::StatusOr<std::optional<Item>> ReadItem(Database& database,
                                             const Table& table,
                                             absl::string_view place);

// The capacity that a write uses, in units of 1 KB.
struct WriteUnits {
  struct OfIndex {
    std::string name{};
    IndexKind kind = IndexKind::kGlobal;
    int64_t units = 0;
  };

  int64_t table = 0;
  std::vector<OfIndex> indexes{};  // those that change
};

// Null if there is no item.
struct ItemChange {
  const Item* before = nullptr;
  const Item* after = nullptr;
};

// Changes the item, its index entries, its expiry and the counters, in one
// transaction.
WriteUnits WriteItem(Database& database, Table& table, absl::string_view place,
                     const ItemChange& change);

// Fills a new index from the table's items. Items without a valid index key are
// omitted, as on AWS.
absl::Status FillIndex(Database& database, Table& table, Index& index);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_ITEMS_H_
