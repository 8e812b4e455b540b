#include "core/time/real_timer.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <thread>

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

// A timer on a clock that stands still unless it is set.
class SetTimer {
 public:
  // Returns once the timer has done what is due then.
  void RunTo(absl::Duration time) {
    now_ = absl::ToInt64Milliseconds(time);
    Await(absl::ZeroDuration());
  }

  // As if the process had not run until then.
  void StopTo(absl::Duration time) {
    const int looks = looks_;
    now_ = absl::ToInt64Milliseconds(time);
    // The first of all timers, so that the clock is looked at.
    timer_.After(-kSuspension, [] {});
    while (looks_ == looks) std::this_thread::yield();
    Await(absl::ZeroDuration());
  }

  SteadyTimer& timer() { return timer_; }

 private:
  void Await(absl::Duration duration) {
    std::promise<void> expired;
    timer_.After(duration, [&] { expired.set_value(); });
    expired.get_future().wait();
  }

  const std::thread::id test_ = std::this_thread::get_id();
  std::atomic<std::int64_t> now_ = 0;  // milliseconds
  std::atomic<int> looks_ = 0;         // by the timer itself
  SteadyTimer timer_{[this] {
    if (std::this_thread::get_id() != test_) ++looks_;
    return SteadyTimer::Instant(std::chrono::milliseconds(now_));
  }};
};

TEST(SteadyTimer, NoticesAStopThatEndsJustAfterTheFirstTimer) {
  SetTimer clock;
  std::atomic<bool> expired = false;
  clock.timer().After(absl::Seconds(10), [&] { expired = true; });
  clock.RunTo(absl::Seconds(0.5));
  clock.StopTo(absl::Seconds(11));
  EXPECT_FALSE(expired);
  // It had 9.5 s left; up to a second of the stop counts.
  for (const double time : {13.5, 16.0, 18.5, 19.4}) {
    clock.RunTo(absl::Seconds(time));
  }
  EXPECT_FALSE(expired);
  clock.RunTo(absl::Seconds(20.5));
  EXPECT_TRUE(expired);
}

TEST(SteadyTimer, CountsDelaysThatABusyMachineHas) {
  SetTimer clock;
  std::atomic<bool> expired = false;
  clock.timer().After(absl::Seconds(4), [&] { expired = true; });
  for (const double time : {1.9, 3.8}) clock.StopTo(absl::Seconds(time));
  EXPECT_FALSE(expired);
  clock.StopTo(absl::Seconds(5.7));
  EXPECT_TRUE(expired);
}

}  // namespace
}  // namespace byoshin::time
