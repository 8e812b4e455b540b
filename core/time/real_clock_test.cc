#include "core/time/real_clock.h"

#include <memory>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "gtest/gtest.h"

namespace byoshin::time {
namespace {

TEST(RealClock, ShowsTheSystemsTime) {
  RealClock clock;
  // Generous, since a loaded machine may pause between the two readings.
  EXPECT_LT(absl::AbsDuration(clock.Now() - absl::Now()), absl::Minutes(10));
}

// How late a wait may end is up to the machine's load; that it never ends early
// is up to the clock.
TEST(RealClock, DoesNotReachADeadlineEarly) {
  RealClock clock;
  const std::unique_ptr<Wakeup> wakeup = clock.NewWakeup();
  for (int i = 0; i < 20; ++i) {
    // Odd quarters of a nanosecond, finer than the system's clock.
    const absl::Time deadline =
        clock.Now() + absl::Milliseconds(1) + i * absl::Nanoseconds(0.25);
    EXPECT_EQ(wakeup->WaitUntil(deadline), WaitResult::kDeadline);
    EXPECT_GE(clock.Now(), deadline);
  }
}

TEST(RealClock, SleepsUntilADeadline) {
  RealClock clock;
  const absl::Time deadline = clock.Now() + absl::Milliseconds(1);
  clock.SleepUntil(deadline);
  EXPECT_GE(clock.Now(), deadline);
}

}  // namespace
}  // namespace byoshin::time
