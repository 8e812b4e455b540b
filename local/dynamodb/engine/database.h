// All tables, and the layout of the store.
//
//   Database database(store, clock, {.account_id = "000000000000"});
//   if (absl::Status status = database.Load(); !status.ok()) return status;
//   Table& table = database.AddTable(std::move(definition));
//   std::string place = store_keys::ItemPrefix(table) + ...;
//
// Changes are written to the store immediately; the caller commits them.
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_DATABASE_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_DATABASE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/dynamodb/engine/table.h"
#include "local/store/store.h"

namespace byoshin::local::dynamodb {

// The prefixes of the store's keys. Part of its format.
namespace store_keys {

// "I", the table's id, then the encoded primary key: an item.
std::string ItemPrefix(const Table& table);
// "X", the ids of table and index, then the encoded key of the index, a hash of
// the primary key and the primary key: the attributes that the index projects.
std::string IndexPrefix(const Table& table, const Index& index);
// "E", the table's id, the second as eight bytes, then the encoded primary key:
// the expiry of an item.
std::string ExpiryPrefix(const Table& table);
std::string ExpiryTime(int64_t unix_seconds);
// "K", region, token: a completed transaction.
std::string TokenKey(absl::string_view region, absl::string_view token);
// "L", the millisecond as eight bytes, then a TokenKey: the expiry of a token.
std::string TokenEndPrefix(absl::Time end);

}  // namespace store_keys

struct DatabaseOptions {
  std::string account_id = "000000000000";
};

// Not thread-safe: belongs to the service's WorkLoop.
class Database {
 public:
  // Of one region, by name.
  using Tables = std::map<std::string, std::unique_ptr<Table>, std::less<>>;

  // Both must outlive the database.
  Database(Store& store, time::Clock& clock, DatabaseOptions options);

  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Reads the tables from the store, replacing those in memory.
  absl::Status Load();

  Store& store() { return store_; }
  absl::Time Now() const { return clock_.Now(); }

  // Null if there is none. `name` may be the table's ARN.
  Table* FindTable(absl::string_view region, absl::string_view name);
  const Tables& TablesOf(absl::string_view region);
  std::vector<Table*> AllTables();

  // Sets its id, ARN and creation time. The name must be unused.
  Table& AddTable(Table table);
  void SaveTable(const Table& table);
  void SaveCounters(const Table& table);
  // With all it holds.
  void RemoveTable(const Table& table);
  // With all it holds.
  void RemoveIndex(Table& table, absl::string_view index_name);

  // Called with the time at which an item is to be removed, whenever one that
  // expires is written.
  void set_on_expiry(std::function<void(absl::Time)> on_expiry) {
    on_expiry_ = std::move(on_expiry);
  }
  void NoteExpiry(absl::Time time) {
    if (on_expiry_) on_expiry_(time);
  }

 private:
  absl::Status LoadCounters();

  Store& store_;
  time::Clock& clock_;
  const DatabaseOptions options_;
  std::map<std::string, Tables, std::less<>> tables_;  // by region
  uint64_t last_table_id_ = 0;
  std::function<void(absl::Time)> on_expiry_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_DATABASE_H_
