// A clock for single-threaded tests: waiting returns at once and moves the
// clock to the deadline.
//
//   InstantClock clock(start);
//   clock.SleepUntil(start + absl::Seconds(5));  // returns at once
//   EXPECT_EQ(clock.Now(), start + absl::Seconds(5));
#ifndef BYOSHIN_CORE_TIME_TESTING_INSTANT_CLOCK_H_
#define BYOSHIN_CORE_TIME_TESTING_INSTANT_CLOCK_H_

#include <algorithm>
#include <memory>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::time::testing {

// Not thread-safe.
class InstantClock final : public Clock {
 public:
  explicit InstantClock(absl::Time start) : now_(start) {}

  absl::Time Now() const override { return now_; }
  void Advance(absl::Duration duration) { now_ += duration; }

  std::unique_ptr<Wakeup> NewWakeup() override {
    return std::make_unique<InstantWakeup>(now_);
  }

 private:
  // No other thread could wake or cancel it.
  class InstantWakeup final : public Wakeup {
   public:
    explicit InstantWakeup(absl::Time& now) : now_(now) {}
    WaitResult WaitUntil(absl::Time deadline) override {
      now_ = std::max(now_, deadline);
      return WaitResult::kDeadline;
    }
    void Wake() override {}
    void Cancel() override {}

   private:
    absl::Time& now_;
  };

  absl::Time now_;
};

}  // namespace byoshin::time::testing

#endif  // BYOSHIN_CORE_TIME_TESTING_INSTANT_CLOCK_H_
