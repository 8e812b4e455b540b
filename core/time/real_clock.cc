#include "core/time/real_clock.h"

#include <cassert>
#include <chrono>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {
namespace {

// Now() and the waits must read the same clock, or a wait could end before
// Now() shows its deadline.
absl::Time SystemTime() {
  return absl::FromChrono(std::chrono::system_clock::now());
}

// Thread-safe; one thread at a time waits.
class RealWakeup final : public Wakeup {
 public:
  WaitResult WaitUntil(absl::Time deadline) override {
    const sync::MutexLock lock(mutex_);
    assert(!waiting_ && "two threads wait on one Wakeup");
    waiting_ = true;
    const WaitResult result = AwaitResult(deadline);
    waiting_ = false;
    return result;
  }

  void Wake() override {
    const sync::MutexLock lock(mutex_);
    woken_ = true;
    changed_.NotifyOne();
  }

  void Cancel() override {
    const sync::MutexLock lock(mutex_);
    cancelled_ = true;
    changed_.NotifyOne();
  }

 private:
  WaitResult AwaitResult(absl::Time deadline)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    while (true) {
      if (cancelled_) return WaitResult::kCancelled;
      if (SystemTime() >= deadline) return WaitResult::kDeadline;
      if (std::exchange(woken_, false)) return WaitResult::kWoken;
      if (deadline == absl::InfiniteFuture()) {
        changed_.Wait(mutex_);
      } else {
        // An absolute time on this very clock: the kernel re-arms the timer
        // whenever the clock is set. A far deadline saturates in the
        // conversion; the loop then waits again.
        changed_.WaitUntil(mutex_, absl::ToChronoTime(deadline));
      }
    }
  }

  sync::Mutex mutex_;
  sync::Condition changed_;
  bool woken_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

absl::Time RealClock::Now() const { return SystemTime(); }

std::unique_ptr<Wakeup> RealClock::NewWakeup() {
  return std::make_unique<RealWakeup>();
}

}  // namespace byoshin::time
