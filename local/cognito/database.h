// Cognito's records, shared among threads, in transactions.
//
//   absl::StatusOr<kept::User> user =
//       database.Do([&](Records& records) -> absl::StatusOr<kept::User> {
//         ...  // the changes of an error are undone
//       });
#ifndef BYOSHIN_LOCAL_COGNITO_DATABASE_H_
#define BYOSHIN_LOCAL_COGNITO_DATABASE_H_

#include <functional>
#include <type_traits>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/sync/mutex.h"
#include "local/cognito/records.h"
#include "local/store/store.h"

namespace byoshin::local::cognito {

// Thread-safe.
class Database {
 public:
  // `on_directory` is called after pools or clients have been changed. The
  // store outlives this.
  Database(Store& store, std::function<absl::Status(Records&)> on_directory)
      : store_(store),
        records_(store),
        on_directory_(std::move(on_directory)) {}

  // Calls `work`, which returns a Status or StatusOr, while no other thread is
  // in here. Commits its changes if it succeeds and undoes them if it fails.
  // Returns what it returned, or why its changes can't be kept.
  template <typename Work>
  std::invoke_result_t<Work, Records&> Do(Work work) {
    const sync::MutexLock lock(mutex_);
    std::invoke_result_t<Work, Records&> result = work(records_);
    if (!result.ok()) {
      store_.Rollback();
      records_.TakeDirectoryChanged();
      return result;
    }
    absl::Status committed = store_.Commit();
    if (records_.TakeDirectoryChanged() && committed.ok()) {
      committed = on_directory_(records_);
    }
    if (!committed.ok()) return committed;
    return result;
  }

 private:
  sync::Mutex mutex_;
  Store& store_ ABSL_GUARDED_BY(mutex_);
  Records records_ ABSL_GUARDED_BY(mutex_);
  const std::function<absl::Status(Records&)> on_directory_;
};

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_DATABASE_H_
