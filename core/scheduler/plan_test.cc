#include "core/scheduler/plan.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::HasSubstr;

absl::Time At(absl::string_view text) {
  return time::ParseIso8601(text).value();
}

TEST(PlanMinute, SpreadsTwelveSlotsOverTheMinute) {
  const Plan plan =
      PlanMinute(At("2025-12-02T10:23:00Z"), absl::ZeroDuration()).value();
  ASSERT_EQ(plan.size(), 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(plan[i].slot, i);
    EXPECT_EQ(plan[i].delay, absl::Seconds(5 * i));
    EXPECT_EQ(plan[i].window.from,
              At("2025-12-02T10:23:00Z") + absl::Seconds(5 * i));
    EXPECT_EQ(plan[i].window.to, plan[i].window.from + absl::Seconds(5));
  }
}

TEST(PlanMinute, StartsAtTheMinuteWhateverTheSecondOfTheEvent) {
  const Plan plan =
      PlanMinute(At("2025-12-02T10:23:59.999Z"), absl::ZeroDuration()).value();
  EXPECT_EQ(plan[0].window.from, At("2025-12-02T10:23:00Z"));
  EXPECT_EQ(plan[11].window.to, At("2025-12-02T10:24:00Z"));
}

TEST(PlanMinute, MovesWindowsButNotDelaysByTheLag) {
  const Plan plan =
      PlanMinute(At("2025-12-02T00:00:00Z"), absl::Seconds(5)).value();
  EXPECT_EQ(plan[0].window.from, At("2025-12-01T23:59:55Z"));
  EXPECT_EQ(plan[0].delay, absl::ZeroDuration());
  EXPECT_EQ(plan[11].window.to, At("2025-12-02T00:00:55Z"));
  EXPECT_EQ(plan[11].delay, absl::Seconds(55));
}

TEST(PlanMinute, RefusesWindowsThatCannotBeWritten) {
  EXPECT_EQ(PlanMinute(At("9999-12-31T23:59:00Z"), absl::ZeroDuration())
                .status()
                .code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(
      PlanMinute(At("0001-01-01T00:00:00Z"), absl::Seconds(5)).status().code(),
      absl::StatusCode::kOutOfRange);
  EXPECT_EQ(
      PlanMinute(absl::InfiniteFuture(), absl::ZeroDuration()).status().code(),
      absl::StatusCode::kOutOfRange);
  EXPECT_THAT(
      std::string(PlanMinute(At("2025-12-02T10:23:00Z"), absl::Hours(1 << 30))
                      .status()
                      .message()),
      HasSubstr("moved back by 1073741824h"));
}

TEST(PlanMinute, TakesTheFirstAndTheLastMinuteThatCanBeWritten) {
  EXPECT_TRUE(
      PlanMinute(At("0001-01-01T00:00:00Z"), absl::ZeroDuration()).ok());
  EXPECT_TRUE(PlanMinute(At("9999-12-31T23:59:59Z"), absl::Seconds(5)).ok());
}

}  // namespace
}  // namespace byoshin::scheduler
