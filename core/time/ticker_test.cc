#include "core/time/ticker.h"

#include <gtest/gtest.h>

#include <vector>

#include "absl/time/time.h"
#include "core/time/simulated_clock.h"

namespace byoshin::time {
namespace {

const absl::Time kBegin = absl::FromUnixSeconds(1'764'670'980);
constexpr absl::Duration kTickInterval = absl::Seconds(5);

TEST(NextTick, IsTheNextMiddleOfAnInterval) {
  const auto after = [](double seconds) {
    return absl::ToDoubleSeconds(
        NextTick(kBegin + absl::Milliseconds(seconds * 1000), kTickInterval) -
        kBegin);
  };
  EXPECT_EQ(after(0), 2.5);
  EXPECT_EQ(after(2.499), 2.5);
  EXPECT_EQ(after(2.5), 7.5);
  EXPECT_EQ(after(4.999), 7.5);
}

TEST(Ticker, TicksOnceAnIntervalAndSkipsWhatAJumpLeavesBehind) {
  SimulatedClock clock(kBegin);
  std::vector<absl::Duration> ticks;
  {
    Ticker ticker(clock, kTickInterval,
                  [&](absl::Time now) { ticks.push_back(now - kBegin); });
    clock.RunUntil(kBegin + absl::Seconds(10));
    clock.AdvanceTo(kBegin + absl::Seconds(100));
    clock.RunUntil(kBegin + absl::Seconds(103));
  }
  EXPECT_EQ(ticks, (std::vector<absl::Duration>{
                       absl::Milliseconds(2500), absl::Milliseconds(7500),
                       absl::Seconds(100), absl::Milliseconds(102'500)}));
}

}  // namespace
}  // namespace byoshin::time
