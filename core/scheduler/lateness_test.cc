#include "core/scheduler/lateness.h"

#include "absl/time/time.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/slot.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

const absl::Time kDueMinute =
    absl::FromUnixSeconds(1'764'670'980);  // 10:23:00Z

TEST(DueTime, IsWhenThePlannedMessageBecomesVisibleWhateverTheLag) {
  for (const int lag : {0, 5, 10, 60, 300}) {
    const Plan plan = PlanMinute(kDueMinute, absl::Seconds(lag)).value();
    for (const PlannedMessage& message : plan) {
      EXPECT_EQ(DueTime({.slot = message.window.from,
                         .window_lag = absl::Seconds(lag)}),
                kDueMinute + message.delay)
          << lag;
    }
  }
}

TEST(Lateness, CountsFromWhenTheSlotIsDue) {
  const LaggedSlot slot{.slot = kDueMinute, .window_lag = absl::Seconds(10)};
  EXPECT_EQ(Lateness(slot, kDueMinute + absl::Seconds(10)),
            absl::ZeroDuration());
  EXPECT_EQ(Lateness(slot, kDueMinute + absl::Milliseconds(10'250)),
            absl::Milliseconds(250));
}

TEST(Lateness, IsNeverNegative) {
  EXPECT_EQ(Lateness({.slot = kDueMinute, .window_lag = absl::Seconds(60)},
                     kDueMinute),
            absl::ZeroDuration());
}

}  // namespace
}  // namespace byoshin::scheduler
