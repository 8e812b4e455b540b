#include "local/dynamodb/engine/items.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/crypto/md5.h"
#include "local/dynamodb/engine/expiry.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int64_t kWriteUnitBytes = 1024;

int64_t Units(int64_t bytes) {
  return std::max<int64_t>(1, (bytes + kWriteUnitBytes - 1) / kWriteUnitBytes);
}

// Whether the attributes can be keys. Those of an item that is written have
// been checked, but not those of an item from before there was the index.
bool AreKeyValues(const Item& item, const std::vector<KeyAttribute>& keys,
                  size_t max_bytes) {
  size_t bytes = 0;
  for (const KeyAttribute& key : keys) {
    const AttributeValue* value = item.Find(key.name);
    if (value == nullptr || value->type() != key.type) return false;
    if (key.type == AttributeType::kNumber) continue;
    if (value->bytes().empty()) return false;
    bytes += value->bytes().size();
  }
  return bytes <= max_bytes;
}

// `item` has all attributes of the key.
void AppendKey(const KeySchema& keys, const Item& item, std::string& out) {
  std::array<const AttributeValue*, kMaxKeyAttributes> hash{};
  size_t count = 0;
  for (const KeyAttribute& key : keys.hash) hash[count++] = item.Find(key.name);
  AppendHashKey(absl::MakeConstSpan(hash.data(), count), out);
  for (const KeyAttribute& key : keys.range) {
    AppendKeyPart(*item.Find(key.name), out);
  }
}

void CopyAttribute(const Item& from, absl::string_view name, Item& to) {
  if (const AttributeValue* value = from.Find(name); value != nullptr) {
    to.Set(name, *value);
  }
}

void AppendHashedBytes(const AttributeValue& value, std::string& out) {
  if (value.is(AttributeType::kNumber)) {
    value.number().AppendHashBytes(out);
  } else {
    out += value.bytes();
  }
}

// The order of items with equal index keys: by a hash of the whole primary key,
// as far as AWS's order is known.
void AppendTieBreaker(const Table& table, const Item& item, std::string& out) {
  constexpr size_t kHashBytes = 4;
  std::string hashed = "Outliers";
  for (const auto* keys : {&table.keys.hash, &table.keys.range}) {
    for (const KeyAttribute& key : *keys) {
      AppendHashedBytes(*item.Find(key.name), hashed);
    }
  }
  const crypto::Md5Digest digest = crypto::Md5(hashed);
  out.append(digest.begin(), digest.begin() + kHashBytes);
}

void CopyKey(const KeySchema& keys, const Item& from, Item& to) {
  for (const auto* role : {&keys.hash, &keys.range}) {
    for (const KeyAttribute& key : *role) CopyAttribute(from, key.name, to);
  }
}

// An index entry before or after a write.
struct Entry {
  std::string place{};
  Item projected{};
  int64_t bytes = 0;
};

std::optional<Entry> EntryOf(const Table& table, const Index& index,
                             const Item* item) {
  if (item == nullptr || !IsIndexed(index, *item)) return std::nullopt;
  Entry entry{.place = PlaceInIndex(table, index, *item),
              .projected = ProjectToIndex(table, index, *item)};
  entry.bytes = SizeBytes(entry.projected);
  return entry;
}

// Returns the capacity units used.
int64_t ChangeIndex(Database& database, const Table& table, Index& index,
                    const ItemChange& change) {
  const std::optional<Entry> before = EntryOf(table, index, change.before);
  const std::optional<Entry> after = EntryOf(table, index, change.after);
  if (!before && !after) return 0;
  const bool same_place = before && after && before->place == after->place;
  if (same_place && before->projected == after->projected) return 0;

  const std::string prefix = store_keys::IndexPrefix(table, index);
  int64_t units = 0;
  if (before) {
    index.counters.items -= 1;
    index.counters.bytes -= before->bytes;
    if (!same_place) {
      (void)database.store().Delete(absl::StrCat(prefix, before->place));
      units += Units(before->bytes);
    }
  }
  if (after) {
    index.counters.items += 1;
    index.counters.bytes += after->bytes;
    (void)database.store().Put(absl::StrCat(prefix, after->place),
                               Serialize(after->projected));
    units += same_place ? Units(std::max(before->bytes, after->bytes))
                        : Units(after->bytes);
  }
  return units;
}

}  // namespace

std::string PlaceOf(const Table& table, const Item& item) {
  std::string place;
  AppendKey(table.keys, item, place);
  return place;
}

std::string PlaceInIndex(const Table& table, const Index& index,
                         const Item& item) {
  std::string place;
  AppendKey(index.keys, item, place);
  AppendTieBreaker(table, item, place);
  absl::StrAppend(&place, PlaceOf(table, item));
  return place;
}

Item PrimaryKeyOf(const Table& table, const Item& item) {
  Item key;
  CopyKey(table.keys, item, key);
  return key;
}

bool IsIndexed(const Index& index, const Item& item) {
  return AreKeyValues(item, index.keys.hash, kMaxHashKeyBytes) &&
         AreKeyValues(item, index.keys.range, kMaxRangeKeyBytes);
}

Item ProjectToIndex(const Table& table, const Index& index, const Item& item) {
  if (index.projection == ProjectionType::kAll) return item;
  Item projected = PrimaryKeyOf(table, item);
  CopyKey(index.keys, item, projected);
  for (const std::string& name : index.included) {
    CopyAttribute(item, name, projected);
  }
  return projected;
}

absl::StatusOr<std::optional<Item>> ReadItem(Database& database,
                                             const Table& table,
                                             absl::string_view place) {
  absl::StatusOr<std::optional<std::string>> bytes =
      database.store().Get(absl::StrCat(store_keys::ItemPrefix(table), place));
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return std::optional<Item>();
  absl::StatusOr<Item> item = DeserializeItem(**bytes);
  if (!item.ok()) return item.status();
  return std::optional<Item>(*std::move(item));
}

WriteUnits WriteItem(Database& database, Table& table, absl::string_view place,
                     const ItemChange& change) {
  const int64_t bytes_before =
      change.before == nullptr ? 0 : SizeBytes(*change.before);
  const int64_t bytes_after =
      change.after == nullptr ? 0 : SizeBytes(*change.after);
  WriteUnits units;
  units.table = Units(std::max(bytes_before, bytes_after));
  if (change.before == nullptr && change.after == nullptr) return units;

  const std::string key = absl::StrCat(store_keys::ItemPrefix(table), place);
  if (change.after != nullptr) {
    (void)database.store().Put(key, Serialize(*change.after));
  } else {
    (void)database.store().Delete(key);
  }
  table.counters.items +=
      (change.after != nullptr ? 1 : 0) - (change.before != nullptr ? 1 : 0);
  table.counters.bytes += bytes_after - bytes_before;
  for (Index& index : table.indexes) {
    const int64_t cost = ChangeIndex(database, table, index, change);
    if (cost > 0) units.indexes.push_back({index.name, index.kind, cost});
  }
  ChangeExpiry(database, table, place, change.before, change.after);
  database.SaveCounters(table);
  return units;
}

absl::Status FillIndex(Database& database, Table& table, Index& index) {
  // The store must not change during a scan, so entries are collected first.
  std::vector<Entry> entries;
  absl::Status damage;
  const absl::Status scanned = database.store().Scan(
      PrefixRange(store_keys::ItemPrefix(table)), Store::Direction::kForward,
      [&](absl::string_view, absl::string_view value) {
        absl::StatusOr<Item> item = DeserializeItem(value);
        if (!item.ok()) {
          damage = item.status();
          return Store::Visit::kStop;
        }
        if (std::optional<Entry> entry = EntryOf(table, index, &*item)) {
          entries.push_back(*std::move(entry));
        }
        return Store::Visit::kContinue;
      });
  if (!scanned.ok()) return scanned;
  if (!damage.ok()) return damage;
  const std::string prefix = store_keys::IndexPrefix(table, index);
  for (const Entry& entry : entries) {
    (void)database.store().Put(absl::StrCat(prefix, entry.place),
                               Serialize(entry.projected));
    index.counters.items += 1;
    index.counters.bytes += entry.bytes;
  }
  database.SaveCounters(table);
  return absl::OkStatus();
}

}  // namespace byoshin::local::dynamodb
