#include "local/dynamodb/engine/expiry.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/values/binary.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr size_t kExpiryTimeBytes = 8;

// In seconds since 1970; nullopt if the item never expires.
std::optional<int64_t> ExpiryOf(const Table& table, const Item* item) {
  if (item == nullptr) return std::nullopt;
  const AttributeValue* value = item->Find(table.time_to_live.attribute);
  if (value == nullptr || !value->is(AttributeType::kNumber)) {
    return std::nullopt;
  }
  const std::string text = value->number().ToString();
  int64_t seconds = 0;
  if (!absl::SimpleAtoi(absl::string_view(text).substr(0, text.find('.')),
                        &seconds) ||
      seconds < 0) {
    return std::nullopt;
  }
  return seconds;
}

// An item is expired once the current time is later than its own, in whole
// seconds: not in that second yet, but when it is over.
absl::Time RemovalTime(int64_t seconds) {
  return absl::FromUnixSeconds(seconds) + absl::Seconds(1);
}

std::string EntryKey(const Table& table, int64_t seconds,
                     absl::string_view place) {
  return absl::StrCat(store_keys::ExpiryPrefix(table),
                      store_keys::ExpiryTime(seconds), place);
}

// The entries of the table that are not older than kOldestExpiry.
KeyRange EntriesFrom(const Database& database, const Table& table) {
  KeyRange range = PrefixRange(store_keys::ExpiryPrefix(table));
  const int64_t oldest = absl::ToUnixSeconds(database.Now() - kOldestExpiry);
  range.begin = EntryKey(table, std::max<int64_t>(0, oldest), "");
  return range;
}

int64_t SecondsOf(const Table& table, absl::string_view key) {
  int64_t seconds = 0;
  const size_t begin = store_keys::ExpiryPrefix(table).size();
  for (const char c : key.substr(begin, kExpiryTimeBytes)) {
    seconds = seconds << 8 | static_cast<uint8_t>(c);
  }
  return seconds;
}

absl::StatusOr<int> RemoveExpiredOf(Database& database, Table& table,
                                    int limit) {
  KeyRange range = EntriesFrom(database, table);
  range.end = EntryKey(table, absl::ToUnixSeconds(database.Now()), "");
  std::vector<std::string> places;
  const size_t prefix =
      store_keys::ExpiryPrefix(table).size() + kExpiryTimeBytes;
  const absl::Status scanned = database.store().Scan(
      range, Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view) {
        places.emplace_back(key.substr(prefix));
        return static_cast<int>(places.size()) < limit ? Store::Visit::kContinue
                                                       : Store::Visit::kStop;
      });
  if (!scanned.ok()) return scanned;
  for (const std::string& place : places) {
    absl::StatusOr<std::optional<Item>> item = ReadItem(database, table, place);
    if (!item.ok()) return item.status();
    if (item->has_value()) {
      WriteItem(database, table, place, {.before = &**item});
    }
  }
  return static_cast<int>(places.size());
}

}  // namespace

void ChangeExpiry(Database& database, const Table& table,
                  absl::string_view place, const Item* before,
                  const Item* after) {
  if (!table.time_to_live.enabled) return;
  const std::optional<int64_t> old_seconds = ExpiryOf(table, before);
  const std::optional<int64_t> new_seconds = ExpiryOf(table, after);
  if (old_seconds == new_seconds) return;
  if (old_seconds) {
    (void)database.store().Delete(EntryKey(table, *old_seconds, place));
  }
  if (new_seconds) {
    (void)database.store().Put(EntryKey(table, *new_seconds, place), "");
    database.NoteExpiry(RemovalTime(*new_seconds));
  }
}

absl::Status RebuildExpiry(Database& database, const Table& table) {
  const KeyRange all = PrefixRange(store_keys::ExpiryPrefix(table));
  if (!table.time_to_live.enabled) {
    (void)database.store().DeleteRange(all);
    return absl::OkStatus();
  }
  const std::string prefix = store_keys::ItemPrefix(table);
  std::vector<std::pair<int64_t, std::string>> entries;
  absl::Status damage;
  const absl::Status scanned = database.store().Scan(
      PrefixRange(prefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        absl::StatusOr<Item> item = DeserializeItem(value);
        if (!item.ok()) {
          damage = item.status();
          return Store::Visit::kStop;
        }
        if (std::optional<int64_t> seconds = ExpiryOf(table, &*item)) {
          entries.emplace_back(*seconds, key.substr(prefix.size()));
        }
        return Store::Visit::kContinue;
      });
  if (!scanned.ok()) return scanned;
  if (!damage.ok()) return damage;
  (void)database.store().DeleteRange(all);
  for (const auto& [seconds, place] : entries) {
    (void)database.store().Put(EntryKey(table, seconds, place), "");
    database.NoteExpiry(RemovalTime(seconds));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> RemoveExpired(Database& database, int limit) {
  int removed = 0;
  for (Table* table : database.AllTables()) {
    if (!table->time_to_live.enabled || removed >= limit) continue;
    absl::StatusOr<int> of_table =
        RemoveExpiredOf(database, *table, limit - removed);
    if (!of_table.ok()) return of_table.status();
    removed += *of_table;
  }
  return removed;
}

absl::StatusOr<absl::Time> NextExpiry(Database& database) {
  absl::Time next = absl::InfiniteFuture();
  for (const Table* table : database.AllTables()) {
    if (!table->time_to_live.enabled) continue;
    const absl::Status scanned = database.store().Scan(
        EntriesFrom(database, *table), Store::Direction::kForward,
        [&](absl::string_view key, absl::string_view) {
          next = std::min(next, RemovalTime(SecondsOf(*table, key)));
          return Store::Visit::kStop;
        });
    if (!scanned.ok()) return scanned;
  }
  return next;
}

}  // namespace byoshin::local::dynamodb
