#include "local/store/sqlite_store.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/files/private_file.h"
#include "local/store/file_header.h"

namespace byoshin::local {
namespace {

// The log is checkpointed when it has grown to this many pages of 4 KiB: rarely
// enough to cost little, often enough for a quick start.
constexpr int kCheckpointPages = 4000;
// After this many pages, the system starts to write them to disk, so that a
// checkpoint has little to wait for.
constexpr int kWriteAheadPages = 256;
// A page of the log with its header.
constexpr int kLogPageBytes = 4096 + 24;
constexpr int kCacheKibibytes = 8192;
// Files up to this size are checked whole when they are opened; that takes
// milliseconds. In larger ones, damage is found when it is read.
constexpr std::int64_t kMaxCheckedBytes = std::int64_t{8} << 20;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
  }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

absl::Status ErrorFor(int result, const std::string& path,
                      absl::string_view detail) {
  const std::string name = path.empty() ? "the in-memory database" : path;
  switch (result & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::AlreadyExistsError(
          absl::StrCat("another process is using ", name,
                       "; stop it, or name another data directory."));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return DamageError(name, detail);
    case SQLITE_FULL:
      return DiskFullError(name);
    default:
      return absl::UnavailableError(
          absl::StrCat("cannot use ", name, ": ", detail));
  }
}

absl::string_view BlobColumn(sqlite3_stmt* statement, int column) {
  const auto* data =
      static_cast<const char*>(sqlite3_column_blob(statement, column));
  return {data,
          static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

// The bytes must live until the statement is reset.
int BindBlob(sqlite3_stmt* statement, int index, absl::string_view bytes) {
  // A null pointer would be NULL, not an empty blob.
  return sqlite3_bind_blob64(statement, index,
                             bytes.empty() ? "" : bytes.data(), bytes.size(),
                             SQLITE_STATIC);
}

// The statements that read a range, by what differs between them.
constexpr std::array<absl::string_view, 4> kScans = {
    "SELECT key, value FROM entries WHERE key >= ?1 ORDER BY key",
    "SELECT key, value FROM entries WHERE key >= ?1 AND key < ?2 ORDER BY key",
    "SELECT key, value FROM entries WHERE key >= ?1 ORDER BY key DESC",
    "SELECT key, value FROM entries WHERE key >= ?1 AND key < ?2 "
    "ORDER BY key DESC",
};
std::size_t ScanKind(const KeyRange& range, Store::Direction direction) {
  return (direction == Store::Direction::kBackward ? 2 : 0) +
         (range.end.empty() ? 0 : 1);
}

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(SqliteStoreOptions options)
      : options_(std::move(options)) {}
  ~SqliteStore() override {
    Rollback();
    if (log_descriptor_ >= 0) ::close(log_descriptor_);
  }

  absl::Status Open();

  absl::StatusOr<std::optional<std::string>> Get(
      absl::string_view key) override;
  absl::Status Scan(const KeyRange& range, Direction direction,
                    Visitor visit) override;
  absl::Status Put(absl::string_view key, absl::string_view value) override;
  absl::Status Delete(absl::string_view key) override;
  absl::Status DeleteRange(const KeyRange& range) override;
  absl::Status Commit() override;
  void Rollback() override;
  bool WaitsForDisk() const override {
    return !options_.path.empty() &&
           options_.durability == Durability::kPowerLoss;
  }

 private:
  // Removes the permissions of other users from the files.
  void KeepPrivate() const;
  absl::Status Connect();
  // Begins an exclusive transaction.
  absl::Status Lock();
  absl::StatusOr<bool> IsEmpty();
  absl::Status CheckPages();
  // Ends the transaction of Lock() with an initialized database.
  absl::Status Create();
  absl::Status Configure();
  absl::Status BeginLogWithoutWaiting();
  // Called by SQLite after a commit, with the length of the log.
  static int OnLogGrown(void* self, sqlite3* database, const char* name,
                        int pages);
  absl::Status PrepareAll();

  absl::Status Execute(const std::string& sql);
  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  // Runs a statement that gives no rows, and makes it ready for the next time.
  absl::Status Finish(sqlite3_stmt* statement);
  absl::Status BeginChange();
  // Remembers the first failure of the transaction.
  absl::Status Failed(absl::Status status);
  absl::Status LastError(int result) const {
    return ErrorFor(result, options_.path, sqlite3_errmsg(database_.get()));
  }

  const SqliteStoreOptions options_;
  Database database_;
  Statement begin_, commit_, rollback_;
  Statement get_, put_, delete_, delete_range_, delete_from_;
  // A scan inside a scan needs a statement of its own, so there are as many as
  // were ever needed at once.
  std::array<std::vector<Statement>, kScans.size()> idle_scans_;
  bool changing_ = false;
  absl::Status failure_;
  int log_descriptor_ = -1;
  int log_pages_written_ = 0;
};

absl::Status SqliteStore::Open() {
  absl::Status header = absl::NotFoundError("in memory");
  if (!options_.path.empty()) {
    header = CheckFileHeader(options_.path, kStoreFormat);
  }
  if (!header.ok() && !absl::IsNotFound(header)) return header;
  KeepPrivate();

  absl::Status status = Connect();
  // Until the file is known to be valid, closing must not checkpoint the log.
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                    nullptr);
  // A new file holds nothing acknowledged that could be lost, so there is no
  // need to wait for the disk, unless commits must survive a power cut.
  if (status.ok() && !header.ok() &&
      options_.durability != Durability::kPowerLoss) {
    status = Execute("PRAGMA synchronous = OFF");
  }
  if (status.ok()) status = Lock();
  if (!status.ok()) return status;
  // Not by the header as it was read: if a process was killed while it created
  // the file, SQLite has just rolled that back.
  const absl::StatusOr<bool> empty = IsEmpty();
  status = empty.status();
  if (status.ok() && *empty) {
    status = Create();
  } else if (status.ok()) {
    status = Execute("COMMIT");
    if (status.ok()) status = CheckPages();
  }
  if (status.ok()) status = Configure();
  if (status.ok()) status = PrepareAll();
  if (!status.ok()) return status;
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0,
                    nullptr);
  return absl::OkStatus();
}

void SqliteStore::KeepPrivate() const {
  if (options_.path.empty()) return;
  // SQLite gives the files that it makes beside the database its permissions. A
  // failure is reported when SQLite opens the file, with a better message.
  MakePrivateFile(options_.path).IgnoreError();
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    TightenFile(options_.path + suffix);
  }
}

absl::Status SqliteStore::Connect() {
  sqlite3* database = nullptr;
  const std::string name = options_.path.empty() ? ":memory:" : options_.path;
  const int result = sqlite3_open_v2(
      name.c_str(), &database,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
      nullptr);
  database_.reset(database);
  if (result != SQLITE_OK) return LastError(result);
  sqlite3_extended_result_codes(database, 1);
  return absl::OkStatus();
}

absl::Status SqliteStore::Lock() {
  // Exclusive before the first read: the log's index is then in the memory of
  // this process, and no other process can intervene.
  if (absl::Status status = Execute("PRAGMA locking_mode = EXCLUSIVE");
      !status.ok()) {
    return status;
  }
  // The first transaction takes the lock. In an empty file it also creates a
  // database without an application id, which must not be committed.
  return Execute("BEGIN EXCLUSIVE");
}

absl::StatusOr<bool> SqliteStore::IsEmpty() {
  absl::StatusOr<Statement> tables =
      Prepare("SELECT count(*) FROM sqlite_schema");
  if (!tables.ok()) return tables.status();
  const int result = sqlite3_step(tables->get());
  if (result != SQLITE_ROW) return LastError(result);
  return sqlite3_column_int(tables->get(), 0) == 0;
}

absl::Status SqliteStore::CheckPages() {
  struct stat info;
  if (stat(options_.path.c_str(), &info) == 0 &&
      info.st_size > kMaxCheckedBytes) {
    return absl::OkStatus();
  }
  absl::StatusOr<Statement> check = Prepare("PRAGMA quick_check(1)");
  if (!check.ok()) return check.status();
  const int result = sqlite3_step(check->get());
  if (result != SQLITE_ROW) return LastError(result);
  const absl::string_view verdict(
      reinterpret_cast<const char*>(sqlite3_column_text(check->get(), 0)));
  if (verdict == "ok") return absl::OkStatus();
  return ErrorFor(SQLITE_CORRUPT, options_.path, verdict);
}

absl::Status SqliteStore::Create() {
  // In one transaction, and before the log is turned on: a process that is
  // killed here leaves an empty file or a whole one, with the header in the
  // file itself, where it is looked for.
  return Execute(
      absl::StrCat("PRAGMA application_id = ", kApplicationId, ";",
                   "PRAGMA user_version = ", kStoreFormat, ";",
                   "CREATE TABLE entries("
                   "key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
                   "COMMIT;"));
}

absl::Status SqliteStore::Configure() {
  const bool wait_for_disk = options_.durability == Durability::kPowerLoss;
  if (!options_.path.empty()) {
    absl::Status status = wait_for_disk ? Execute("PRAGMA journal_mode = WAL")
                                        : BeginLogWithoutWaiting();
    if (!status.ok()) return status;
  }
  if (absl::Status status = Execute(absl::StrCat(
          "PRAGMA synchronous = ", wait_for_disk ? "FULL" : "NORMAL", ";",
          "PRAGMA wal_autocheckpoint = ", kCheckpointPages, ";",
          "PRAGMA cache_size = -", kCacheKibibytes, ";"));
      !status.ok()) {
    return status;
  }
  if (!options_.path.empty() && !wait_for_disk) {
    // It is only an optimization: without it, waits are longer.
    log_descriptor_ =
        ::open((options_.path + "-wal").c_str(), O_RDONLY | O_CLOEXEC);
    // In place of SQLite's own, which looks for kCheckpointPages.
    sqlite3_wal_hook(database_.get(), &SqliteStore::OnLogGrown, this);
  }
  return absl::OkStatus();
}

int SqliteStore::OnLogGrown(void* self, sqlite3* database, const char* name,
                            int pages) {
  auto& store = *static_cast<SqliteStore*>(self);
  if (pages >= kCheckpointPages) {
    store.log_pages_written_ = 0;
    // What could not be checkpointed stays in the log until the next
    // checkpoint.
    sqlite3_wal_checkpoint(database, name);
    return SQLITE_OK;
  }
  // Written from its beginning again.
  if (pages < store.log_pages_written_) store.log_pages_written_ = 0;
  if (pages - store.log_pages_written_ >= kWriteAheadPages) {
    // Begins, and does not wait.
    ::sync_file_range(store.log_descriptor_,
                      off64_t{store.log_pages_written_} * kLogPageBytes,
                      off64_t{pages - store.log_pages_written_} * kLogPageBytes,
                      SYNC_FILE_RANGE_WRITE);
    store.log_pages_written_ = pages;
  }
  return SQLITE_OK;
}

// The first write to a log waits for the disk, which may take longer than all
// other work for a slot. For a new log that is not needed: without its header
// it counts as empty.
absl::Status SqliteStore::BeginLogWithoutWaiting() {
  struct stat info;
  const bool is_new = stat((options_.path + "-wal").c_str(), &info) != 0;
  return Execute(absl::StrCat(
      "PRAGMA synchronous = ", is_new ? "OFF" : "NORMAL", ";",
      "PRAGMA journal_mode = WAL;",
      // Writes the value that it already has.
      "BEGIN IMMEDIATE; PRAGMA user_version = ", kStoreFormat, "; COMMIT;"));
}

absl::Status SqliteStore::PrepareAll() {
  const std::pair<Statement*, absl::string_view> statements[] = {
      {&begin_, "BEGIN"},
      {&commit_, "COMMIT"},
      {&rollback_, "ROLLBACK"},
      {&get_, "SELECT value FROM entries WHERE key = ?1"},
      {&put_, "REPLACE INTO entries(key, value) VALUES(?1, ?2)"},
      {&delete_, "DELETE FROM entries WHERE key = ?1"},
      {&delete_range_, "DELETE FROM entries WHERE key >= ?1 AND key < ?2"},
      {&delete_from_, "DELETE FROM entries WHERE key >= ?1"},
  };
  for (const auto& [statement, sql] : statements) {
    absl::StatusOr<Statement> prepared = Prepare(sql);
    if (!prepared.ok()) return prepared.status();
    *statement = *std::move(prepared);
  }
  return absl::OkStatus();
}

absl::Status SqliteStore::Execute(const std::string& sql) {
  const int result =
      sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  return result == SQLITE_OK ? absl::OkStatus() : LastError(result);
}

absl::StatusOr<Statement> SqliteStore::Prepare(absl::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int result =
      sqlite3_prepare_v3(database_.get(), sql.data(), sql.size(),
                         SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return LastError(result);
  return Statement(statement);
}

absl::Status SqliteStore::Finish(sqlite3_stmt* statement) {
  const int result = sqlite3_step(statement);
  absl::Status status =
      result == SQLITE_DONE ? absl::OkStatus() : LastError(result);
  sqlite3_reset(statement);
  return status;
}

absl::StatusOr<std::optional<std::string>> SqliteStore::Get(
    absl::string_view key) {
  sqlite3_stmt* get = get_.get();
  const absl::Cleanup reset = [get] { sqlite3_reset(get); };
  BindBlob(get, 1, key);
  const int result = sqlite3_step(get);
  if (result == SQLITE_DONE) return std::nullopt;
  if (result != SQLITE_ROW) return LastError(result);
  return std::string(BlobColumn(get, 0));
}

absl::Status SqliteStore::Scan(const KeyRange& range, Direction direction,
                               Visitor visit) {
  const std::size_t kind = ScanKind(range, direction);
  std::vector<Statement>& idle = idle_scans_[kind];
  if (idle.empty()) {
    absl::StatusOr<Statement> prepared = Prepare(kScans[kind]);
    if (!prepared.ok()) return prepared.status();
    idle.push_back(*std::move(prepared));
  }
  Statement scan = std::move(idle.back());
  idle.pop_back();

  BindBlob(scan.get(), 1, range.begin);
  if (!range.end.empty()) BindBlob(scan.get(), 2, range.end);
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(scan.get())) == SQLITE_ROW) {
    if (visit(BlobColumn(scan.get(), 0), BlobColumn(scan.get(), 1)) ==
        Visit::kStop) {
      break;
    }
  }
  const bool ended = result == SQLITE_DONE || result == SQLITE_ROW;
  absl::Status status = ended ? absl::OkStatus() : LastError(result);
  sqlite3_reset(scan.get());
  idle.push_back(std::move(scan));
  return status;
}

absl::Status SqliteStore::BeginChange() {
  if (!failure_.ok()) return failure_;
  if (changing_) return absl::OkStatus();
  if (absl::Status status = Finish(begin_.get()); !status.ok()) {
    return Failed(status);
  }
  changing_ = true;
  return absl::OkStatus();
}

absl::Status SqliteStore::Failed(absl::Status status) {
  if (!status.ok() && failure_.ok()) failure_ = status;
  return status;
}

absl::Status SqliteStore::Put(absl::string_view key, absl::string_view value) {
  if (absl::Status status = BeginChange(); !status.ok()) return status;
  BindBlob(put_.get(), 1, key);
  BindBlob(put_.get(), 2, value);
  return Failed(Finish(put_.get()));
}

absl::Status SqliteStore::Delete(absl::string_view key) {
  if (absl::Status status = BeginChange(); !status.ok()) return status;
  BindBlob(delete_.get(), 1, key);
  return Failed(Finish(delete_.get()));
}

absl::Status SqliteStore::DeleteRange(const KeyRange& range) {
  if (absl::Status status = BeginChange(); !status.ok()) return status;
  sqlite3_stmt* statement =
      range.end.empty() ? delete_from_.get() : delete_range_.get();
  BindBlob(statement, 1, range.begin);
  if (!range.end.empty()) BindBlob(statement, 2, range.end);
  return Failed(Finish(statement));
}

absl::Status SqliteStore::Commit() {
  if (!failure_.ok()) {
    absl::Status failure = failure_;
    Rollback();
    return failure;
  }
  if (!changing_) return absl::OkStatus();
  absl::Status status = Finish(commit_.get());
  if (status.ok()) {
    changing_ = false;
  } else {
    Rollback();
  }
  return status;
}

void SqliteStore::Rollback() {
  failure_ = absl::OkStatus();
  if (!std::exchange(changing_, false)) return;
  // After some failures SQLite has rolled back already.
  if (!sqlite3_get_autocommit(database_.get())) {
    (void)Finish(rollback_.get());
  }
}

}  // namespace

absl::StatusOr<Durability> ParseDurability(absl::string_view flag,
                                           absl::string_view text) {
  if (text == "process") return Durability::kProcessCrash;
  if (text == "full") return Durability::kPowerLoss;
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, " must be process or full, not \"", text, "\""));
}

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(
    const SqliteStoreOptions& options) {
  auto store = std::make_unique<SqliteStore>(options);
  if (absl::Status status = store->Open(); !status.ok()) return status;
  return store;
}

}  // namespace byoshin::local
