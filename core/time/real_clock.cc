#include "core/time/real_clock.h"

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/time/time.h"
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
    std::unique_lock<std::mutex> lock(mutex_);
    assert(!waiting_ && "two threads wait on one Wakeup");
    waiting_ = true;
    const WaitResult result = AwaitResult(deadline, lock);
    waiting_ = false;
    return result;
  }

  void Wake() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    woken_ = true;
    changed_.notify_one();
  }

  void Cancel() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    cancelled_ = true;
    changed_.notify_one();
  }

 private:
  WaitResult AwaitResult(absl::Time deadline,
                         std::unique_lock<std::mutex>& lock) {
    while (true) {
      if (cancelled_) return WaitResult::kCancelled;
      if (SystemTime() >= deadline) return WaitResult::kDeadline;
      if (std::exchange(woken_, false)) return WaitResult::kWoken;
      if (deadline == absl::InfiniteFuture()) {
        changed_.wait(lock);
      } else {
        // An absolute time on this very clock: the kernel re-arms the timer
        // whenever the clock is set. A far deadline saturates in the
        // conversion; the loop then waits again.
        changed_.wait_until(lock, absl::ToChronoTime(deadline));
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
  bool cancelled_ = false;
  bool waiting_ = false;
};

}  // namespace

absl::Time RealClock::Now() const { return SystemTime(); }

std::unique_ptr<Wakeup> RealClock::NewWakeup() {
  return std::make_unique<RealWakeup>();
}

}  // namespace byoshin::time
