// Handles Ctrl-C and SIGTERM, for a clean shutdown.
//
//   host::EndSignals end_signals;  // before other threads are started
//   ... start ...
//   end_signals.Await();
//   ... stop ...
//
// The first signal requests the program to end. A later one ends the process
// immediately, even if the program hangs. One request may come as several
// signals: timeout(1) signals its child and then the whole process group, and
// shells and wrappers forward what they get. So signals within kSameRequest of
// the first one are ignored.
#ifndef BYOSHIN_CORE_HOST_END_SIGNALS_H_
#define BYOSHIN_CORE_HOST_END_SIGNALS_H_

#include <signal.h>

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::host {

inline constexpr std::chrono::milliseconds kSameRequest(500);

// Blocks SIGINT and SIGTERM in the calling thread and in those that it starts.
// If the system has no descriptors left to receive them with, they keep their
// default action: the first one ends the process. One at a time in a process.
// Thread-safe.
class EndSignals {
 public:
  using Instant = std::chrono::steady_clock::time_point;

  EndSignals() : EndSignals(std::chrono::steady_clock::now) {}
  // `now` is called once for each signal, on an internal thread; for tests.
  explicit EndSignals(std::function<Instant()> now);
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  // Restores the calling thread's signal mask.
  ~EndSignals();

  // Waits for the first signal.
  void Await();

  // Whether the first signal was received.
  bool received() const;

 private:
  void Watch();
  void Receive(int number);

  const std::function<Instant()> now_;
  sigset_t signals_;
  sigset_t mask_before_;
  int signal_descriptor_;
  int stop_descriptor_;
  mutable sync::Mutex mutex_;
  sync::Condition changed_;
  // When the first signal was received.
  std::optional<Instant> first_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;  // not started if there are no descriptors
};

}  // namespace byoshin::host

#endif  // BYOSHIN_CORE_HOST_END_SIGNALS_H_
