#include "local/store/sqlite_store.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "local/store/file_header.h"
#include "local/store/json_record.h"
#include "local/store/store.h"

namespace byoshin::local {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

// A path for a database in a folder that is empty at first.
std::string NewPath() {
  static int count = 0;
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) /
      absl::StrCat("store-", getpid(), "-", ++count);
  std::filesystem::create_directories(folder);
  return folder / "test.db";
}

std::unique_ptr<Store> Open(const std::string& path) {
  absl::StatusOr<std::unique_ptr<Store>> store =
      OpenSqliteStore({.path = path});
  EXPECT_TRUE(store.ok()) << store.status();
  return store.ok() ? *std::move(store) : nullptr;
}

std::optional<std::string> Get(Store& store, absl::string_view key) {
  absl::StatusOr<std::optional<std::string>> value = store.Get(key);
  EXPECT_TRUE(value.ok()) << value.status();
  return *value;
}

Entries Scan(Store& store, const KeyRange& range,
             Store::Direction direction = Store::Direction::kForward) {
  Entries entries;
  const absl::Status status = store.Scan(
      range, direction, [&](absl::string_view key, absl::string_view value) {
        entries.emplace_back(key, value);
        return Store::Visit::kContinue;
      });
  EXPECT_TRUE(status.ok()) << status;
  return entries;
}

void Write(const std::string& path, absl::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Runs SQL on the file as another program would.
void RunSql(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST(SqliteStore, KeepsBytesOfAnyKind) {
  const std::unique_ptr<Store> store = Open("");
  const std::string zeros("\0a\0", 3);
  ASSERT_TRUE(store->Put(zeros, "").ok());
  ASSERT_TRUE(store->Put("\xFF", zeros).ok());
  EXPECT_EQ(Get(*store, zeros), "");
  EXPECT_EQ(Get(*store, "\xFF"), zeros);
  EXPECT_EQ(Get(*store, "other"), std::nullopt);
}

TEST(SqliteStore, ReadsARangeInOrderAndBackwards) {
  const std::unique_ptr<Store> store = Open("");
  for (const char* key : {"b", "a", "d", "c"}) {
    ASSERT_TRUE(store->Put(key, key).ok());
  }
  EXPECT_EQ(Scan(*store, {.begin = "b", .end = "d"}),
            (Entries{{"b", "b"}, {"c", "c"}}));
  EXPECT_EQ(Scan(*store, {.begin = "c"}, Store::Direction::kBackward),
            (Entries{{"d", "d"}, {"c", "c"}}));
  ASSERT_TRUE(store->DeleteRange({.begin = "b", .end = "d"}).ok());
  EXPECT_EQ(Scan(*store, {}), (Entries{{"a", "a"}, {"d", "d"}}));
}

TEST(SqliteStore, EndsAScanWhenTheVisitorSaysSo) {
  const std::unique_ptr<Store> store = Open("");
  for (const char* key : {"a", "b", "c"}) ASSERT_TRUE(store->Put(key, "").ok());
  int seen = 0;
  ASSERT_TRUE(store
                  ->Scan({}, Store::Direction::kForward,
                         [&](absl::string_view, absl::string_view) {
                           return ++seen == 2 ? Store::Visit::kStop
                                              : Store::Visit::kContinue;
                         })
                  .ok());
  EXPECT_EQ(seen, 2);
}

TEST(SqliteStore, ReadsWithinAScan) {
  const std::unique_ptr<Store> store = Open("");
  for (const char* key : {"a", "b"}) ASSERT_TRUE(store->Put(key, "x").ok());
  int pairs = 0;
  ASSERT_TRUE(store
                  ->Scan({}, Store::Direction::kForward,
                         [&](absl::string_view, absl::string_view) {
                           pairs += Scan(*store, {}).size();
                           return Store::Visit::kContinue;
                         })
                  .ok());
  EXPECT_EQ(pairs, 4);
}

TEST(PrefixRange, HoldsTheKeysThatBeginWithThePrefix) {
  EXPECT_EQ(PrefixRange("ab").end, "ac");
  EXPECT_EQ(PrefixRange("a\xFF").end, "b");
  EXPECT_EQ(PrefixRange("\xFF\xFF").end, "");
  EXPECT_EQ(PrefixRange("").begin, "");
}

TEST(SqliteStore, KeepsWhatWasCommittedAndNothingElse) {
  const std::string path = NewPath();
  {
    const std::unique_ptr<Store> store = Open(path);
    ASSERT_TRUE(store->Put("kept", "1").ok());
    ASSERT_TRUE(store->Commit().ok());
    ASSERT_TRUE(store->Put("dropped", "1").ok());
    store->Rollback();
    ASSERT_TRUE(store->Put("forgotten", "1").ok());
  }
  EXPECT_EQ(Scan(*Open(path), {}), (Entries{{"kept", "1"}}));
}

// The log would grow for ever if it were not written back, and begun anew.
TEST(SqliteStore, KeepsItsLogShortHoweverMuchIsWritten) {
  for (const Durability durability :
       {Durability::kProcessCrash, Durability::kPowerLoss}) {
    const std::string path = NewPath();
    absl::StatusOr<std::unique_ptr<Store>> store =
        OpenSqliteStore({.path = path, .durability = durability});
    ASSERT_TRUE(store.ok()) << store.status();
    constexpr int kCommits = 30;
    const std::string value(1 << 20, 'v');
    for (int i = 0; i < kCommits; ++i) {
      ASSERT_TRUE((*store)->Put(absl::StrCat("key", i), value).ok());
      ASSERT_TRUE((*store)->Put(absl::StrCat("other", i), value).ok());
      ASSERT_TRUE((*store)->Commit().ok());
    }
    EXPECT_LT(std::filesystem::file_size(path + "-wal"), 20 * value.size());
    for (int i = 0; i < kCommits; ++i) {
      EXPECT_EQ(Get(**store, absl::StrCat("key", i)), value);
    }
  }
}

TEST(SqliteStore, KeepsWhatWasCommittedWhenTheProcessIsKilled) {
  const std::string path = NewPath();
  const pid_t child = fork();
  if (child == 0) {
    absl::StatusOr<std::unique_ptr<Store>> store =
        OpenSqliteStore({.path = path});
    if (store.ok() && (*store)->Put("key", "value").ok() &&
        (*store)->Commit().ok()) {
      raise(SIGKILL);
    }
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(Get(*Open(path), "key"), "value");
}

TEST(SqliteStore, OpensAFileWhoseMakerWasKilledWhereverThatWas) {
  // The system kills a process at the write that takes a file beyond its limit.
  for (const rlim_t bytes :
       {1, 100, 512, 4095, 4096, 4097, 5000, 8191, 8192, 8193, 12288}) {
    SCOPED_TRACE(bytes);
    const std::string path = NewPath();
    const pid_t child = fork();
    if (child == 0) {
      const rlimit none{.rlim_cur = 0, .rlim_max = 0};
      const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
      setrlimit(RLIMIT_CORE, &none);
      setrlimit(RLIMIT_FSIZE, &limit);
      absl::StatusOr<std::unique_ptr<Store>> store =
          OpenSqliteStore({.path = path});
      if (store.ok()) raise(SIGKILL);
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    for (int i = 0; i < 2; ++i) {
      const std::unique_ptr<Store> store = Open(path);
      ASSERT_NE(store, nullptr);
      EXPECT_TRUE(store->Put("key", "value").ok());
      EXPECT_TRUE(store->Commit().ok());
    }
  }
}

TEST(SqliteStore, CommitsNothingAfterAChangeThatFailed) {
  const std::string path = NewPath();
  const std::unique_ptr<Store> store = Open(path);
  ASSERT_TRUE(store->Put("before", "1").ok());
  ASSERT_TRUE(store->Commit().ok());

  // The log cannot grow: as on a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit full{.rlim_cur = std::filesystem::file_size(path + "-wal"),
                    .rlim_max = old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  (void)store->Put("big", std::string(1 << 20, 'x'));
  const absl::Status committed = store->Commit();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);

  EXPECT_EQ(committed.code(), absl::StatusCode::kUnavailable) << committed;
  EXPECT_EQ(Scan(*store, {}), (Entries{{"before", "1"}}));
  // With room again, it goes on.
  ASSERT_TRUE(store->Put("after", "2").ok());
  EXPECT_TRUE(store->Commit().ok());
}

TEST(SqliteStore, RefusesAFileThatAnotherStoreHasOpen) {
  const std::string path = NewPath();
  const std::unique_ptr<Store> first = Open(path);
  const absl::Status status = OpenSqliteStore({.path = path}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_NE(status.message().find("another process is using"),
            std::string::npos)
      << status;
}

TEST(SqliteStore, RefusesAFileOfALaterVersionAndLeavesIt) {
  const std::string path = NewPath();
  Open(path).reset();
  RunSql(path, "PRAGMA journal_mode = DELETE; PRAGMA user_version = 2");
  const std::string before = *files::ReadFile(path);
  const absl::Status status = OpenSqliteStore({.path = path}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("later version of Byoshin (format 2"),
            std::string::npos)
      << status;
  EXPECT_EQ(*files::ReadFile(path), before);
}

TEST(SqliteStore, RefusesFilesThatAreNotItsOwnAndLeavesThem) {
  const std::string text = NewPath();
  Write(text, "a diary");
  EXPECT_EQ(OpenSqliteStore({.path = text}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(*files::ReadFile(text), "a diary");

  const std::string other = NewPath();
  RunSql(other, "CREATE TABLE t(a)");
  const std::string before = *files::ReadFile(other);
  EXPECT_EQ(OpenSqliteStore({.path = other}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(*files::ReadFile(other), before);
}

TEST(SqliteStore, RefusesADamagedFileAndLeavesIt) {
  const std::string path = NewPath();
  {
    const std::unique_ptr<Store> store = Open(path);
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(store->Put(absl::StrCat(i), std::string(100, 'x')).ok());
    }
    ASSERT_TRUE(store->Commit().ok());
  }
  const std::string whole = *files::ReadFile(path);
  ASSERT_GT(whole.size(), 5 * 4096);

  std::string overwritten = whole;
  overwritten.replace(2 * 4096, 4096, std::string(4096, '\xAA'));
  const std::string cut = whole.substr(0, whole.size() - 4096);
  const std::string headless = whole.substr(0, 60);
  for (const std::string& damaged : {overwritten, cut, headless}) {
    Write(path, damaged);
    const absl::Status status = OpenSqliteStore({.path = path}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_NE(status.message().find("is damaged"), std::string::npos);
    EXPECT_EQ(*files::ReadFile(path), damaged);
  }
}

int ModeOf(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

TEST(SqliteStore, LetsNobodyElseReadItsFilesWhateverTheUmask) {
  const std::string path = NewPath();
  const mode_t before = umask(0);
  std::unique_ptr<Store> store = Open(path);
  ASSERT_TRUE(store->Put("a", "1").ok());
  ASSERT_TRUE(store->Commit().ok());
  EXPECT_EQ(ModeOf(path), 0600);
  EXPECT_EQ(ModeOf(path + "-wal"), 0600);
  store = nullptr;
  umask(before);

  // Also those that are there already.
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  Write(path + "-shm", "");
  ASSERT_EQ(chmod((path + "-shm").c_str(), 0666), 0);
  store = Open(path);
  ASSERT_TRUE(store->Put("b", "2").ok());
  ASSERT_TRUE(store->Commit().ok());
  for (const char* suffix : {"", "-wal", "-shm"}) {
    EXPECT_EQ(ModeOf(path + suffix), 0600) << suffix;
  }
}

TEST(NameDamagedFile, SaysWhichFileAndWhatToDo) {
  const absl::Status named =
      NameDamagedFile(absl::DataLossError("a record is cut off"), "/d/x.db");
  EXPECT_EQ(named.message(),
            "/d/x.db is damaged: a record is cut off. It has been left as it "
            "is; put a copy back, or move it away to begin with an empty one.");
  EXPECT_EQ(NameDamagedFile(named, "/d/x.db"), named);
  EXPECT_EQ(NameDamagedFile(absl::DataLossError("x"), "").message(), "x");
  EXPECT_TRUE(NameDamagedFile(absl::OkStatus(), "/d/x.db").ok());
}

TEST(JsonRecord, TakesOnlyWhatWasWritten) {
  JsonRecord good(R"({"text":"x","number":3,"time":1764670980000})");
  EXPECT_EQ(good.Text("text"), "x");
  EXPECT_EQ(good.Int("number"), 3);
  EXPECT_EQ(good.Time("time"), absl::FromUnixSeconds(1764670980));
  EXPECT_TRUE(good.Has("text"));
  EXPECT_FALSE(good.Has("other"));
  EXPECT_TRUE(good.ok());
  for (const char* bad : {"", "{", "[]", "5", "{}", R"({"text":5})",
                          R"({"text":["x"]})", R"({"tezt":"x"})"}) {
    JsonRecord record(bad);
    record.Text("text");
    EXPECT_FALSE(record.ok()) << bad;
  }
  JsonRecord text(R"({"number":"3","time":"3"})");
  EXPECT_EQ(text.Int("number"), 0);
  EXPECT_FALSE(text.ok());
  EXPECT_EQ(text.Time("time"), absl::UnixEpoch());
}

TEST(SqliteStore, SaysWhyAFileCannotBeMade) {
  const absl::Status status =
      OpenSqliteStore({.path = "/nowhere/at/all.db"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("/nowhere/at/all.db"), std::string::npos);
}

RC_GTEST_PROP(SqliteStoreProperty, BehavesAsASortedMap, ()) {
  const std::unique_ptr<Store> store = Open("");
  std::map<std::string, std::string> committed;
  std::map<std::string, std::string> model;
  const auto key =
      rc::gen::container<std::string>(rc::gen::element('a', 'b', '\0', '\xFF'));
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const std::string k = *key;
    switch (*rc::gen::inRange(0, 6)) {
      case 0:
      case 1: {
        const std::string value = *rc::gen::arbitrary<std::string>();
        RC_ASSERT(store->Put(k, value).ok());
        model[k] = value;
        break;
      }
      case 2:
        RC_ASSERT(store->Delete(k).ok());
        model.erase(k);
        break;
      case 3: {
        const std::string end = *key;
        RC_ASSERT(store->DeleteRange({.begin = k, .end = end}).ok());
        const auto last = end.empty() ? model.end() : model.lower_bound(end);
        if (end.empty() || k < end) model.erase(model.lower_bound(k), last);
        break;
      }
      case 4:
        RC_ASSERT(store->Commit().ok());
        committed = model;
        break;
      default:
        store->Rollback();
        model = committed;
    }
    RC_ASSERT(Scan(*store, {}) == Entries(model.begin(), model.end()));
    RC_ASSERT(Scan(*store, PrefixRange(k), Store::Direction::kBackward) == [&] {
      Entries expected;
      for (auto it = model.rbegin(); it != model.rend(); ++it) {
        if (it->first.compare(0, k.size(), k) == 0) {
          expected.push_back(*it);
        }
      }
      return expected;
    }());
  }
}

}  // namespace
}  // namespace byoshin::local
