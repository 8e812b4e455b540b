// The storage of a service: byte strings under keys, in the order of the keys'
// bytes, changed in atomic transactions.
//
//   store.Put("queue/orders", settings);
//   store.Put("queue/orders/message/1", message);
//   absl::Status status = store.Commit();  // if it fails, neither is kept
//
//   store.Scan(PrefixRange("queue/"), Store::Direction::kForward,
//              [](absl::string_view key, absl::string_view value) {
//                ...
//                return Store::Visit::kContinue;
//              });
//
// Services see keys and values only. local/store/sqlite_store.h has the
// implementation, and work_loop.h the thread that commits transactions.
#ifndef BYOSHIN_LOCAL_STORE_STORE_H_
#define BYOSHIN_LOCAL_STORE_STORE_H_

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local {

// The keys from `begin`, inclusive, to `end`, exclusive; an empty `end` means
// no limit.
struct KeyRange {
  std::string begin{};
  std::string end{};
};

// All keys that begin with `prefix`.
KeyRange PrefixRange(absl::string_view prefix);

// Not thread-safe: it belongs to one thread.
//
// A transaction begins with the first change and ends with Commit() or
// Rollback(). Reads see the changes of the current transaction. If a change
// fails, the transaction can't be committed: Commit() then rolls it back and
// returns the first error, so that a caller need not check each Put().
class Store {
 public:
  enum class Direction { kForward, kBackward };
  enum class Visit { kContinue, kStop };
  using Visitor =
      absl::FunctionRef<Visit(absl::string_view key, absl::string_view value)>;

  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual absl::StatusOr<std::optional<std::string>> Get(
      absl::string_view key) = 0;

  // Calls `visit` with each key of the range and its value, in order, until it
  // returns kStop. The views are valid during the call. `visit` must not change
  // the store, but may read it.
  virtual absl::Status Scan(const KeyRange& range, Direction direction,
                            Visitor visit) = 0;

  // Adds the key, or replaces its value.
  virtual absl::Status Put(absl::string_view key, absl::string_view value) = 0;
  // A missing key is not an error.
  virtual absl::Status Delete(absl::string_view key) = 0;
  virtual absl::Status DeleteRange(const KeyRange& range) = 0;

  // Once this returns OK, the changes survive a crash of the process (and of
  // the machine, if the store was opened so). If it fails, no change is kept.
  virtual absl::Status Commit() = 0;
  virtual void Rollback() = 0;

  // Whether Commit() waits for the disk, which takes milliseconds. Thread-safe.
  virtual bool WaitsForDisk() const { return false; }
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_STORE_H_
