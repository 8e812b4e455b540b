// Starting threads where the system may have none left.
//
//   absl::StatusOr<std::thread> thread = sync::StartThread([] { ... });
//   if (!thread.ok()) return thread.status();
#ifndef BYOSHIN_CORE_SYNC_THREAD_H_
#define BYOSHIN_CORE_SYNC_THREAD_H_

#include <functional>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace byoshin::sync {

// ResourceExhausted, with what to do about it: no thread could be started.
absl::Status NoThreadError();

// Starts a thread that calls `run`. Errors are NoThreadError().
absl::StatusOr<std::thread> StartThread(std::function<void()> run);

}  // namespace byoshin::sync

#endif  // BYOSHIN_CORE_SYNC_THREAD_H_
