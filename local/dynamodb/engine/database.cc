#include "local/dynamodb/engine/database.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/dynamodb/engine/table_json.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kLastTableIdKey = "Mlast_table_id";
constexpr absl::string_view kArnPrefix = "arn:aws:dynamodb:";

void AppendBigEndian(uint64_t value, int bytes, std::string& out) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xFF));
  }
}

uint64_t ReadBigEndian(absl::string_view bytes) {
  uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<uint8_t>(c);
  return value;
}

std::string TableKey(absl::string_view region, absl::string_view name) {
  std::string key = absl::StrCat("T", region);
  key.push_back('\0');
  absl::StrAppend(&key, name);
  return key;
}

std::string CountersKey(const Table& table) {
  std::string key = "C";
  AppendBigEndian(table.id, 8, key);
  return key;
}

// The table's counters, then for each index its id and counters.
std::string EncodeCounters(const Table& table) {
  std::string value;
  AppendBigEndian(table.counters.items, 8, value);
  AppendBigEndian(table.counters.bytes, 8, value);
  for (const Index& index : table.indexes) {
    AppendBigEndian(index.id, 4, value);
    AppendBigEndian(index.counters.items, 8, value);
    AppendBigEndian(index.counters.bytes, 8, value);
  }
  return value;
}

Counters ReadCounters(absl::string_view bytes) {
  return {.items = static_cast<int64_t>(ReadBigEndian(bytes.substr(0, 8))),
          .bytes = static_cast<int64_t>(ReadBigEndian(bytes.substr(8, 8)))};
}

absl::Status DecodeCounters(absl::string_view value, Table& table) {
  constexpr size_t kCounters = 16;
  constexpr size_t kEntry = 4 + kCounters;
  if (value.size() < kCounters || (value.size() - kCounters) % kEntry != 0) {
    return absl::DataLossError(
        absl::StrCat("the counters of table ", table.name, " are damaged"));
  }
  table.counters = ReadCounters(value);
  for (value.remove_prefix(kCounters); !value.empty();
       value.remove_prefix(kEntry)) {
    const uint64_t id = ReadBigEndian(value.substr(0, 4));
    for (Index& index : table.indexes) {
      if (index.id == id) index.counters = ReadCounters(value.substr(4));
    }
  }
  return absl::OkStatus();
}

}  // namespace

namespace store_keys {

std::string ItemPrefix(const Table& table) {
  std::string key = "I";
  AppendBigEndian(table.id, 8, key);
  return key;
}

std::string IndexPrefix(const Table& table, const Index& index) {
  std::string key = "X";
  AppendBigEndian(table.id, 8, key);
  AppendBigEndian(index.id, 4, key);
  return key;
}

std::string ExpiryPrefix(const Table& table) {
  std::string key = "E";
  AppendBigEndian(table.id, 8, key);
  return key;
}

std::string ExpiryTime(int64_t unix_seconds) {
  std::string bytes;
  AppendBigEndian(static_cast<uint64_t>(unix_seconds), 8, bytes);
  return bytes;
}

std::string TokenKey(absl::string_view region, absl::string_view token) {
  std::string key = absl::StrCat("K", region);
  key.push_back('\0');
  absl::StrAppend(&key, token);
  return key;
}

std::string TokenEndPrefix(absl::Time end) {
  std::string key = "L";
  AppendBigEndian(static_cast<uint64_t>(absl::ToUnixMillis(end)), 8, key);
  return key;
}

}  // namespace store_keys

Database::Database(Store& store, time::Clock& clock, DatabaseOptions options)
    : store_(store), clock_(clock), options_(std::move(options)) {}

absl::Status Database::Load() {
  tables_.clear();
  last_table_id_ = 0;
  absl::StatusOr<std::optional<std::string>> last_id =
      store_.Get(kLastTableIdKey);
  if (!last_id.ok()) return last_id.status();
  if (last_id->has_value()) last_table_id_ = ReadBigEndian(**last_id);

  absl::Status damage;
  const absl::Status scanned = store_.Scan(
      PrefixRange("T"), Store::Direction::kForward,
      [&](absl::string_view, absl::string_view value) {
        absl::StatusOr<Table> table = TableFromJson(value);
        if (!table.ok()) {
          damage = table.status();
          return Store::Visit::kStop;
        }
        auto loaded = std::make_unique<Table>(*std::move(table));
        std::unique_ptr<Table>& place = tables_[loaded->region][loaded->name];
        place = std::move(loaded);
        return Store::Visit::kContinue;
      });
  if (!scanned.ok()) return scanned;
  if (!damage.ok()) return damage;
  return LoadCounters();
}

absl::Status Database::LoadCounters() {
  for (Table* table : AllTables()) {
    absl::StatusOr<std::optional<std::string>> counters =
        store_.Get(CountersKey(*table));
    if (!counters.ok()) return counters.status();
    if (!counters->has_value()) continue;
    if (absl::Status status = DecodeCounters(**counters, *table);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

Table* Database::FindTable(absl::string_view region, absl::string_view name) {
  if (absl::StartsWith(name, kArnPrefix)) {
    // arn:aws:dynamodb:REGION:ACCOUNT:table/NAME
    const std::vector<absl::string_view> parts = absl::StrSplit(name, ':');
    if (parts.size() != 6 || parts[3] != region ||
        parts[4] != options_.account_id ||
        !absl::StartsWith(parts[5], "table/")) {
      return nullptr;
    }
    name = parts[5].substr(6);
  }
  const auto tables = tables_.find(region);
  if (tables == tables_.end()) return nullptr;
  const auto table = tables->second.find(name);
  return table == tables->second.end() ? nullptr : table->second.get();
}

const Database::Tables& Database::TablesOf(absl::string_view region) {
  return tables_[std::string(region)];
}

std::vector<Table*> Database::AllTables() {
  std::vector<Table*> all;
  for (auto& [region, tables] : tables_) {
    for (auto& [name, table] : tables) all.push_back(table.get());
  }
  return all;
}

Table& Database::AddTable(Table table) {
  table.id = ++last_table_id_;
  std::string id;
  AppendBigEndian(last_table_id_, 8, id);
  (void)store_.Put(kLastTableIdKey, id);
  table.uuid = random::NewUuid();
  table.created = Now();
  table.arn = absl::StrCat(kArnPrefix, table.region, ":", options_.account_id,
                           ":table/", table.name);
  for (Index& index : table.indexes) index.id = ++table.last_index_id;
  SaveTable(table);
  std::unique_ptr<Table>& added = tables_[table.region][table.name];
  added = std::make_unique<Table>(std::move(table));
  return *added;
}

// Here and below, errors of Put() and Delete() are ignored, since Commit()
// reports them.

void Database::SaveTable(const Table& table) {
  (void)store_.Put(TableKey(table.region, table.name), TableToJson(table));
}

void Database::SaveCounters(const Table& table) {
  (void)store_.Put(CountersKey(table), EncodeCounters(table));
}

void Database::RemoveTable(const Table& table) {
  (void)store_.Delete(TableKey(table.region, table.name));
  (void)store_.Delete(CountersKey(table));
  std::string indexes = "X";
  AppendBigEndian(table.id, 8, indexes);
  (void)store_.DeleteRange(PrefixRange(store_keys::ItemPrefix(table)));
  (void)store_.DeleteRange(PrefixRange(indexes));
  (void)store_.DeleteRange(PrefixRange(store_keys::ExpiryPrefix(table)));
  const std::string region = table.region;
  const std::string name = table.name;
  tables_[region].erase(name);
}

void Database::RemoveIndex(Table& table, absl::string_view index_name) {
  for (auto index = table.indexes.begin(); index != table.indexes.end();
       ++index) {
    if (index->name != index_name) continue;
    (void)store_.DeleteRange(
        PrefixRange(store_keys::IndexPrefix(table, *index)));
    table.indexes.erase(index);
    break;
  }
  SaveTable(table);
  SaveCounters(table);
}

}  // namespace byoshin::local::dynamodb
