// A Store in one SQLite file, or in memory.
//
//   absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(
//       {.path = "data/sqs.db", .durability = Durability::kProcessCrash});
//
// The file is in WAL mode and held exclusively: a second process that opens it
// gets an error that says so. Only its owner can read it.
#ifndef BYOSHIN_LOCAL_STORE_SQLITE_STORE_H_
#define BYOSHIN_LOCAL_STORE_SQLITE_STORE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/store/store.h"

namespace byoshin::local {

enum class Durability {
  // What was committed survives kill -9, but perhaps not a power cut.
  kProcessCrash,
  // It survives a power cut too: each commit waits for the disk.
  kPowerLoss,
};

// What people call them: "process" and "full". InvalidArgument, naming `flag`,
// for anything else.
absl::StatusOr<Durability> ParseDurability(absl::string_view flag,
                                           absl::string_view text);

struct SqliteStoreOptions {
  // Made if it is not there; its folder must exist. Empty: in memory.
  std::string path{};
  Durability durability = Durability::kProcessCrash;
};

// The layout of keys and values that this version writes. A file of a later one
// is refused.
inline constexpr int kStoreFormat = 1;

// Errors name the file, say what to do, and leave it as it is:
//   FailedPrecondition  it was written by a later version, or is not ours
//   DataLoss            it is damaged
//   AlreadyExists       another process has it open
//   Unavailable         it can't be opened, made or written
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(
    const SqliteStoreOptions& options);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_SQLITE_STORE_H_
