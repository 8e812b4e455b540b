#include "core/time/simulated_clock.h"

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::time {
namespace {

using ::testing::ElementsAre;

constexpr absl::Time kStart = absl::FromUnixSeconds(1764670980);

// A thread that waits for one deadline.
class Waiter {
 public:
  Waiter(Clock& clock, absl::Time deadline)
      : clock_(clock), wakeup_(clock.NewWakeup()), thread_([this, deadline] {
          result_ = wakeup_->WaitUntil(deadline);
          woke_at_ = clock_.Now();
          wakeup_->Cancel();  // from here on, time need not wait for it
        }) {}
  ~Waiter() {
    if (thread_.joinable()) thread_.join();
  }

  Wakeup& wakeup() { return *wakeup_; }

  WaitResult Join() {
    thread_.join();
    return result_;
  }
  absl::Time woke_at() const { return woke_at_; }

 private:
  Clock& clock_;
  const std::unique_ptr<Wakeup> wakeup_;
  WaitResult result_ = WaitResult::kCancelled;
  absl::Time woke_at_;
  std::thread thread_;
};

// A thread that does something at every multiple of an interval.
class CountingTicker {
 public:
  CountingTicker(Clock& clock, absl::Duration interval)
      : clock_(clock),
        interval_(interval),
        next_(clock.Now() + interval),
        wakeup_(clock.NewWakeup()),
        thread_([this] { Run(); }) {}
  ~CountingTicker() {
    wakeup_->Cancel();
    thread_.join();
  }

  // To be read while the clock is idle.
  const std::vector<absl::Time>& ticks() const { return ticks_; }

 private:
  void Run() {
    while (wakeup_->WaitUntil(next_) != WaitResult::kCancelled) {
      ticks_.push_back(clock_.Now());
      next_ += interval_;
    }
  }

  Clock& clock_;
  const absl::Duration interval_;
  absl::Time next_;
  std::vector<absl::Time> ticks_;
  const std::unique_ptr<Wakeup> wakeup_;
  std::thread thread_;
};

TEST(SimulatedClock, StandsStillUntilAdvanced) {
  SimulatedClock clock(kStart);
  EXPECT_EQ(clock.Now(), kStart);
  clock.AdvanceBy(absl::Seconds(5));
  EXPECT_EQ(clock.Now(), kStart + absl::Seconds(5));
  clock.AdvanceTo(kStart + absl::Hours(1));
  EXPECT_EQ(clock.Now(), kStart + absl::Hours(1));
}

TEST(SimulatedClock, NeverGoesBack) {
  SimulatedClock clock(kStart);
  clock.AdvanceTo(kStart - absl::Seconds(1));
  clock.AdvanceBy(-absl::Seconds(1));
  clock.RunUntil(kStart - absl::Seconds(1));
  EXPECT_EQ(clock.Now(), kStart);
}

TEST(SimulatedClock, EndsAWaitWhenItReachesTheDeadline) {
  SimulatedClock clock(kStart);
  Waiter waiter(clock, kStart + absl::Seconds(5));
  clock.AwaitWaiters(1);
  clock.AdvanceTo(kStart + absl::Seconds(5));
  EXPECT_EQ(waiter.Join(), WaitResult::kDeadline);
  EXPECT_EQ(waiter.woke_at(), kStart + absl::Seconds(5));
}

TEST(SimulatedClock, KeepsAWaitShortOfTheDeadline) {
  SimulatedClock clock(kStart);
  Waiter waiter(clock, kStart + absl::Seconds(5));
  clock.AwaitWaiters(1);
  clock.AdvanceTo(kStart + absl::Seconds(5) - absl::Nanoseconds(1));
  EXPECT_EQ(clock.waiters(), 1);
  clock.AdvanceBy(absl::Nanoseconds(1));
  EXPECT_EQ(waiter.Join(), WaitResult::kDeadline);
}

TEST(SimulatedClock, TellsWhoWaitsForWhat) {
  SimulatedClock clock(kStart);
  EXPECT_EQ(clock.waiters(), 0);
  EXPECT_EQ(clock.earliest_deadline(), absl::InfiniteFuture());
  Waiter late(clock, kStart + absl::Seconds(10));
  Waiter early(clock, kStart + absl::Seconds(5));
  clock.AwaitWaiters(2);
  EXPECT_EQ(clock.waiters(), 2);
  EXPECT_EQ(clock.earliest_deadline(), kStart + absl::Seconds(5));
  clock.AdvanceBy(absl::Seconds(10));
  EXPECT_EQ(clock.waiters(), 0);
}

TEST(SimulatedClock, AdvancesToOneDeadlineAfterAnother) {
  SimulatedClock clock(kStart);
  Waiter third(clock, kStart + absl::Seconds(15));
  Waiter first(clock, kStart + absl::Seconds(5));
  Waiter second(clock, kStart + absl::Seconds(10));
  clock.AwaitWaiters(3);
  for (Waiter* waiter : {&first, &second, &third}) {
    EXPECT_TRUE(clock.AdvanceToNextDeadline());
    EXPECT_EQ(waiter->Join(), WaitResult::kDeadline);
    EXPECT_EQ(waiter->woke_at(), clock.Now());
  }
  EXPECT_EQ(clock.Now(), kStart + absl::Seconds(15));
}

TEST(SimulatedClock, EndsAllWaitsForTheSameDeadline) {
  SimulatedClock clock(kStart);
  Waiter one(clock, kStart + absl::Seconds(5));
  Waiter other(clock, kStart + absl::Seconds(5));
  clock.AwaitWaiters(2);
  EXPECT_TRUE(clock.AdvanceToNextDeadline());
  EXPECT_EQ(one.Join(), WaitResult::kDeadline);
  EXPECT_EQ(other.Join(), WaitResult::kDeadline);
}

TEST(SimulatedClock, DoesNotAdvanceToADeadlineThatNobodyWaitsFor) {
  SimulatedClock clock(kStart);
  EXPECT_FALSE(clock.AdvanceToNextDeadline());
  Waiter waiter(clock, absl::InfiniteFuture());
  clock.AwaitWaiters(1);
  EXPECT_FALSE(clock.AdvanceToNextDeadline());
  EXPECT_EQ(clock.Now(), kStart);
  waiter.wakeup().Wake();
  EXPECT_EQ(waiter.Join(), WaitResult::kWoken);
}

TEST(SimulatedClock, StopsCountingAWaiterInTheCallThatEndsItsWait) {
  SimulatedClock clock(kStart);
  Waiter woken(clock, absl::InfiniteFuture());
  Waiter cancelled(clock, absl::InfiniteFuture());
  Waiter due(clock, kStart + absl::Seconds(5));
  clock.AwaitWaiters(3);
  woken.wakeup().Wake();
  EXPECT_EQ(clock.waiters(), 2);
  cancelled.wakeup().Cancel();
  EXPECT_EQ(clock.waiters(), 1);
  clock.AdvanceToNextDeadline();
  EXPECT_EQ(clock.waiters(), 0);
}

TEST(SimulatedClock, KeepsTheResultOfTheCallThatEndedAWait) {
  SimulatedClock clock(kStart);
  Waiter waiter(clock, kStart + absl::Seconds(5));
  clock.AwaitWaiters(1);
  waiter.wakeup().Wake();
  clock.AdvanceBy(absl::Seconds(5));
  EXPECT_EQ(waiter.Join(), WaitResult::kWoken);
}

TEST(SimulatedClock, IsIdleWithoutWork) {
  SimulatedClock clock(kStart);
  clock.AwaitIdle();
}

TEST(SimulatedClock, IsIdleOnceAllThreadsWaitAgain) {
  SimulatedClock clock(kStart);
  CountingTicker ticker(clock, absl::Seconds(5));
  for (int i = 1; i <= 100; ++i) {
    clock.AwaitIdle();
    clock.AdvanceToNextDeadline();
    clock.AwaitIdle();
    ASSERT_EQ(ticker.ticks().size(), i);
    ASSERT_EQ(ticker.ticks().back(), kStart + i * absl::Seconds(5));
  }
}

TEST(SimulatedClock, DoesNotCountACancelledWakeupAsWork) {
  SimulatedClock clock(kStart);
  const std::unique_ptr<Wakeup> wakeup = clock.NewWakeup();
  wakeup->Cancel();
  clock.AwaitIdle();
  wakeup->WaitUntil(absl::InfiniteFuture());
  clock.AwaitIdle();
}

TEST(SimulatedClock, DoesNotCountADestroyedWakeupAsWork) {
  SimulatedClock clock(kStart);
  clock.NewWakeup();
  clock.NewWakeup()->Cancel();
  clock.AwaitIdle();
}

TEST(SimulatedClock, DoesNotRunWhileAWakeupIsNotWaitedOn) {
  SimulatedClock clock(kStart);
  std::unique_ptr<Wakeup> wakeup = clock.NewWakeup();
  std::atomic<bool> done = false;
  std::thread worker([&] {
    EXPECT_EQ(clock.Now(), kStart);
    done = true;
    wakeup.reset();
  });
  clock.RunUntil(kStart + absl::Hours(1));
  EXPECT_TRUE(done);
  worker.join();
}

TEST(SimulatedClock, DoesNotRunDuringAHold) {
  SimulatedClock clock(kStart);
  Hold hold(clock);
  std::atomic<bool> done = false;
  std::thread worker([&clock, &done, held = std::move(hold)] {
    EXPECT_EQ(clock.Now(), kStart);
    done = true;
  });
  clock.RunUntil(kStart + absl::Hours(1));
  EXPECT_TRUE(done);
  worker.join();
}

TEST(SimulatedClock, IsIdleOnceAllHoldsHaveEnded) {
  SimulatedClock clock(kStart);
  Hold ended(clock);
  Hold replaced(clock);
  ended.End();
  ended.End();
  replaced = Hold(clock);
  replaced = std::move(ended);
  clock.AwaitIdle();
}

TEST(SimulatedClock, RunsFromDeadlineToDeadline) {
  SimulatedClock clock(kStart);
  CountingTicker ticker(clock, absl::Seconds(5));
  clock.RunUntil(kStart + absl::Seconds(12));
  EXPECT_EQ(clock.Now(), kStart + absl::Seconds(12));
  EXPECT_THAT(ticker.ticks(), ElementsAre(kStart + absl::Seconds(5),
                                          kStart + absl::Seconds(10)));
}

TEST(SimulatedClock, FinishesTheWorkDueAtTheEndOfARun) {
  SimulatedClock clock(kStart);
  CountingTicker ticker(clock, absl::Seconds(5));
  clock.RunUntil(kStart + absl::Seconds(5));
  EXPECT_THAT(ticker.ticks(), ElementsAre(kStart + absl::Seconds(5)));
}

TEST(SimulatedClock, RunsToTheEndWhenNobodyWaits) {
  SimulatedClock clock(kStart);
  clock.RunUntil(kStart + absl::Hours(24));
  EXPECT_EQ(clock.Now(), kStart + absl::Hours(24));
}

TEST(SimulatedClock, RunsHoursOfShortStepsBesideOtherWorkWithoutMissingOne) {
  // The three meet every seven minutes, so all that can happen does often.
  constexpr int kMinutes = 2 * 60;
  constexpr absl::Duration kInterval = absl::Seconds(5);
  SimulatedClock clock(kStart);
  CountingTicker steps(clock, kInterval);
  CountingTicker minutes(clock, absl::Minutes(1));
  CountingTicker odd(clock, absl::Seconds(7));
  clock.RunUntil(kStart + absl::Minutes(kMinutes));
  EXPECT_EQ(steps.ticks().size(), kMinutes * 12);
  EXPECT_EQ(minutes.ticks().size(), kMinutes);
  EXPECT_EQ(odd.ticks().size(), kMinutes * 60 / 7);
  for (const absl::Time tick : steps.ticks()) {
    ASSERT_EQ((tick - kStart) % kInterval, absl::ZeroDuration());
  }
}

TEST(SimulatedClock, PassesWorkFromThreadToThreadWithoutLettingTimePass) {
  SimulatedClock clock(kStart);
  const std::unique_ptr<Wakeup> second = clock.NewWakeup();
  std::optional<absl::Time> handled;
  std::thread handler([&] {
    second->WaitUntil(absl::InfiniteFuture());
    handled = clock.Now();
    second->Cancel();
  });
  const std::unique_ptr<Wakeup> first = clock.NewWakeup();
  std::thread giver([&] {
    first->WaitUntil(kStart + absl::Seconds(5));
    second->Wake();
    first->Cancel();
  });
  clock.RunUntil(kStart + absl::Hours(1));
  giver.join();
  handler.join();
  EXPECT_EQ(handled, kStart + absl::Seconds(5));
}

TEST(SimulatedClock, WakesASleeper) {
  SimulatedClock clock(kStart);
  std::thread sleeper(
      [&clock] { clock.SleepUntil(kStart + absl::Seconds(5)); });
  clock.AwaitWaiters(1);
  clock.AdvanceToNextDeadline();
  sleeper.join();
  EXPECT_EQ(clock.Now(), kStart + absl::Seconds(5));
}

}  // namespace
}  // namespace byoshin::time
