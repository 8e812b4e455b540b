// A Hold that is interrupted while its work waits for time to pass.
//
//   PausableHold hold(clock);  // a function runs
//   hold.Pause();              // it has called a service, which waits
//   hold.Resume();             // the service answers
#ifndef BYOSHIN_CORE_TIME_PAUSABLE_HOLD_H_
#define BYOSHIN_CORE_TIME_PAUSABLE_HOLD_H_

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe. Ends with its destructor.
class PausableHold {
 public:
  explicit PausableHold(Clock& clock) : clock_(clock), hold_(clock) {}

  // Each Pause() has its Resume(), which must be called while something else
  // holds the clock: as long as anything waits, time may pass.
  void Pause() {
    const sync::MutexLock lock(mutex_);
    if (++pauses_ == 1) hold_.End();
  }
  void Resume() {
    const sync::MutexLock lock(mutex_);
    if (--pauses_ == 0) hold_ = Hold(clock_);
  }

 private:
  Clock& clock_;
  sync::Mutex mutex_;
  int pauses_ ABSL_GUARDED_BY(mutex_) = 0;
  Hold hold_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_PAUSABLE_HOLD_H_
