#include "core/time/real_timer.h"

#include <atomic>
#include <chrono>
#include <future>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::time {
namespace {

TEST(SteadyTimer, CallsInTimeUnlessCancelled) {
  SteadyTimer timer;
  std::promise<void> expired;
  bool cancelled_ran = false;
  const RealTimer::Id id =
      timer.After(absl::Hours(1), [&] { cancelled_ran = true; });
  timer.After(absl::Milliseconds(1), [&] { expired.set_value(); });
  expired.get_future().wait();
  timer.Cancel(id);
  EXPECT_FALSE(cancelled_ran);
}

TEST(SteadyTimer, DoesNotCountTimeInWhichTheProcessWasStopped) {
  std::atomic<int> seconds_stopped = 0;
  SteadyTimer timer([&] {
    return std::chrono::steady_clock::now() +
           std::chrono::seconds(seconds_stopped);
  });
  std::promise<void> noticed;
  std::promise<void> later;
  std::atomic<bool> expired = false;
  timer.After(absl::Seconds(30), [&] { expired = true; });
  timer.After(absl::Milliseconds(200), [&] { noticed.set_value(); });

  seconds_stopped = 55;
  noticed.get_future().wait();
  timer.After(absl::Milliseconds(1), [&] { later.set_value(); });
  later.get_future().wait();

  EXPECT_FALSE(expired);
}

}  // namespace
}  // namespace byoshin::time
