// A Hold that any thread may end, for work that is handed from one thread to
// another.
//
//   const auto hold = std::make_shared<time::SharedHold>(clock);
//   service.Handle(call, [hold](const Answer&) { hold->End(); });
#ifndef BYOSHIN_CORE_TIME_SHARED_HOLD_H_
#define BYOSHIN_CORE_TIME_SHARED_HOLD_H_

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe. Only the first End() has an effect.
class SharedHold {
 public:
  explicit SharedHold(Clock& clock) : hold_(clock) {}

  void End() {
    const sync::MutexLock lock(mutex_);
    hold_.End();
  }

 private:
  sync::Mutex mutex_;
  Hold hold_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_SHARED_HOLD_H_
