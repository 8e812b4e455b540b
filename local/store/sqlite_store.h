// A Store in one SQLite file, or in memory.
//
//   absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(
//       {.path = "data/sqs.db", .durability = Durability::kProcessCrash});
//
// The file is in WAL mode and locked exclusively: a second process that opens
// it gets an error. Only its owner can read it.
#ifndef BYOSHIN_LOCAL_STORE_SQLITE_STORE_H_
#define BYOSHIN_LOCAL_STORE_SQLITE_STORE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/store/store.h"

namespace byoshin::local {

enum class Durability {
  // Commits survive kill -9, but may not survive a power cut.
  kProcessCrash,
  // Commits survive a power cut, too: each waits for the disk.
  kPowerLoss,
};

// Parses "process" and "full". InvalidArgument, naming `flag`, for anything
// else.
absl::StatusOr<Durability> ParseDurability(absl::string_view flag,
                                           absl::string_view text);

struct SqliteStoreOptions {
  // Created if it is missing; its folder must exist. If empty, the store is in
  // memory.
  std::string path{};
  Durability durability = Durability::kProcessCrash;
};

// The version of the layout of keys and values. Files of later versions are
// rejected.
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
