// A clock that can be set, as an administrator or a time server sets a
// machine's, over simulated time that goes on steadily below.
//
//   SteppedClock clock(start);
//   Cloud cloud(clock);
//   clock.base().RunUntil(start + absl::Minutes(1));
//   clock.Step(-absl::Minutes(10));
#ifndef BYOSHIN_TESTS_E2E_STEPPED_CLOCK_H_
#define BYOSHIN_TESTS_E2E_STEPPED_CLOCK_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/time/clock.h"
#include "core/time/simulated_clock.h"

namespace byoshin::e2e {

// Thread-safe.
class SteppedClock final : public time::Clock {
 public:
  explicit SteppedClock(absl::Time start) : base_(start) {}

  absl::Time Now() const override { return base_.Now() + offset(); }
  std::unique_ptr<time::Wakeup> NewWakeup() override {
    return std::make_unique<SteppedWakeup>(*this);
  }

  // Sets the clock. Waits under way go by the new time from now on, as the
  // kernel's do.
  void Step(absl::Duration duration) {
    const std::lock_guard<std::mutex> lock(mutex_);
    offset_ += duration;
    for (SteppedWakeup* wakeup : wakeups_) wakeup->LookAgain();
  }

  // What the steps do not touch; the test moves it.
  time::SimulatedClock& base() { return base_; }

 private:
  class SteppedWakeup final : public time::Wakeup {
   public:
    explicit SteppedWakeup(SteppedClock& clock)
        : clock_(clock), wakeup_(clock.base_.NewWakeup()) {
      const std::lock_guard<std::mutex> lock(clock_.mutex_);
      clock_.wakeups_.insert(this);
    }
    ~SteppedWakeup() override {
      const std::lock_guard<std::mutex> lock(clock_.mutex_);
      clock_.wakeups_.erase(this);
    }

    time::WaitResult WaitUntil(absl::Time deadline) override {
      while (true) {
        if (clock_.Now() < deadline && woken_.exchange(false)) {
          return time::WaitResult::kWoken;
        }
        const time::WaitResult result =
            wakeup_->WaitUntil(deadline - clock_.offset());
        if (result == time::WaitResult::kCancelled) return result;
        if (clock_.Now() >= deadline) return time::WaitResult::kDeadline;
      }
    }
    void Wake() override {
      woken_ = true;
      wakeup_->Wake();
    }
    void Cancel() override { wakeup_->Cancel(); }
    void LookAgain() { wakeup_->Wake(); }

   private:
    SteppedClock& clock_;
    std::unique_ptr<time::Wakeup> wakeup_;
    std::atomic<bool> woken_ = false;
  };

  void BeginHold() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    holds_.emplace_back(base_);
  }
  void EndHold() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    holds_.pop_back();
  }

  absl::Duration offset() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return offset_;
  }

  time::SimulatedClock base_;
  mutable std::mutex mutex_;
  absl::Duration offset_;             // guarded by mutex_
  std::set<SteppedWakeup*> wakeups_;  // guarded by mutex_
  std::vector<time::Hold> holds_;     // guarded by mutex_
};

}  // namespace byoshin::e2e

#endif  // BYOSHIN_TESTS_E2E_STEPPED_CLOCK_H_
