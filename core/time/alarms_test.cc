#include "core/time/alarms.h"

#include <gtest/gtest.h>

#include <vector>

#include "absl/time/time.h"
#include "core/time/simulated_clock.h"

namespace byoshin::time {
namespace {

const absl::Time kAlarmsStart = absl::FromUnixSeconds(1'764'671'000);

class AlarmsTest : public testing::Test {
 protected:
  void SetAfter(int seconds) {
    ids_.push_back(alarms_.Set(kAlarmsStart + absl::Seconds(seconds), [this] {
      rung_.push_back(clock_.Now() - kAlarmsStart);
    }));
  }
  void RunFor(int seconds) {
    clock_.RunUntil(clock_.Now() + absl::Seconds(seconds));
  }

  SimulatedClock clock_{kAlarmsStart};
  // Only touched by the alarms' thread while the clock runs.
  std::vector<absl::Duration> rung_;
  std::vector<Alarms::Id> ids_;
  Alarms alarms_{clock_};
};

TEST_F(AlarmsTest, RingAtTheirTimeInOrder) {
  SetAfter(29);
  SetAfter(5);
  SetAfter(5);
  RunFor(60);
  EXPECT_EQ(rung_, (std::vector<absl::Duration>{
                       absl::Seconds(5), absl::Seconds(5), absl::Seconds(29)}));
}

TEST_F(AlarmsTest, DoNotRingOnceCancelled) {
  SetAfter(5);
  SetAfter(6);
  alarms_.Cancel(ids_[0]);
  RunFor(60);
  EXPECT_EQ(rung_, std::vector<absl::Duration>{absl::Seconds(6)});
  alarms_.Cancel(ids_[1]);
}

TEST_F(AlarmsTest, RingAtOnceIfTheirTimeHasPassed) {
  SetAfter(-1);
  clock_.AwaitIdle();
  EXPECT_EQ(rung_, std::vector<absl::Duration>{absl::ZeroDuration()});
}

TEST_F(AlarmsTest, AreDroppedAtTheEnd) {
  int rung = 0;
  {
    Alarms alarms(clock_);
    alarms.Set(kAlarmsStart + absl::Seconds(5), [&rung] { ++rung; });
  }
  RunFor(60);
  EXPECT_EQ(rung, 0);
}

}  // namespace
}  // namespace byoshin::time
