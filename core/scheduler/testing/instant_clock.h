// A clock for tests with one thread, on which waiting takes no time: whoever
// waits for an instant finds it reached.
//
//   InstantClock clock(start);
//   clock.SleepUntil(start + absl::Seconds(5));  // returns at once
//   EXPECT_EQ(clock.Now(), start + absl::Seconds(5));
#ifndef BYOSHIN_CORE_SCHEDULER_TESTING_INSTANT_CLOCK_H_
#define BYOSHIN_CORE_SCHEDULER_TESTING_INSTANT_CLOCK_H_

#include <algorithm>
#include <memory>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::scheduler::testing {

// Not thread-safe.
class InstantClock final : public time::Clock {
 public:
  explicit InstantClock(absl::Time start) : now_(start) {}

  absl::Time Now() const override { return now_; }
  void Advance(absl::Duration duration) { now_ += duration; }

  std::unique_ptr<time::Wakeup> NewWakeup() override {
    return std::make_unique<InstantWakeup>(now_);
  }

 private:
  // Nobody else is there to wake or cancel it.
  class InstantWakeup final : public time::Wakeup {
   public:
    explicit InstantWakeup(absl::Time& now) : now_(now) {}
    time::WaitResult WaitUntil(absl::Time deadline) override {
      now_ = std::max(now_, deadline);
      return time::WaitResult::kDeadline;
    }
    void Wake() override {}
    void Cancel() override {}

   private:
    absl::Time& now_;
  };

  absl::Time now_;
};

}  // namespace byoshin::scheduler::testing

#endif  // BYOSHIN_CORE_SCHEDULER_TESTING_INSTANT_CLOCK_H_
