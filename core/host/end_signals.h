// Ctrl-C and SIGTERM, for a program that ends in order.
//
//   host::EndSignals end_signals;  // before other threads are started
//   ... start ...
//   end_signals.Await();
//   ... stop ...
//
// The first signal asks the program to end. The second one ends the process at
// once, whatever the program is doing, or hangs in.
#ifndef BYOSHIN_CORE_HOST_END_SIGNALS_H_
#define BYOSHIN_CORE_HOST_END_SIGNALS_H_

#include <signal.h>

#include <thread>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::host {

// Blocks SIGINT and SIGTERM in the calling thread and in those that it starts.
// One at a time in a process. Thread-safe.
class EndSignals {
 public:
  EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  // Restores the calling thread's signal mask.
  ~EndSignals();

  // Returns when the first signal has come.
  void Await();

  // Whether it has.
  bool received() const;

 private:
  void Watch();

  sigset_t signals_;
  sigset_t mask_before_;
  int signal_descriptor_;
  int stop_descriptor_;
  mutable sync::Mutex mutex_;
  sync::Condition changed_;
  bool received_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace byoshin::host

#endif  // BYOSHIN_CORE_HOST_END_SIGNALS_H_
