// What every Clock promises, tried on each.
#include "core/time/clock.h"

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "absl/time/time.h"
#include "core/time/real_clock.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"

namespace byoshin::time {
namespace {

struct RealClockMaker {
  static std::unique_ptr<Clock> Make() { return std::make_unique<RealClock>(); }
};

struct SimulatedClockMaker {
  static std::unique_ptr<Clock> Make() {
    return std::make_unique<SimulatedClock>(absl::UnixEpoch());
  }
};

template <typename Maker>
class ClockTest : public ::testing::Test {
 protected:
  const std::unique_ptr<Clock> clock_ = Maker::Make();
  const std::unique_ptr<Wakeup> wakeup_ = clock_->NewWakeup();
};

using Makers = ::testing::Types<RealClockMaker, SimulatedClockMaker>;
TYPED_TEST_SUITE(ClockTest, Makers);

TYPED_TEST(ClockTest, DoesNotWaitForADeadlineThatHasPassed) {
  EXPECT_EQ(this->wakeup_->WaitUntil(this->clock_->Now()),
            WaitResult::kDeadline);
  EXPECT_EQ(this->wakeup_->WaitUntil(this->clock_->Now() - absl::Hours(1)),
            WaitResult::kDeadline);
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfinitePast()),
            WaitResult::kDeadline);
  this->clock_->SleepUntil(this->clock_->Now());
}

TYPED_TEST(ClockTest, IsWokenFromAnotherThread) {
  std::thread waker([this] { this->wakeup_->Wake(); });
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
            WaitResult::kWoken);
  waker.join();
}

TYPED_TEST(ClockTest, IsWokenBeforeAFiniteDeadline) {
  std::thread waker([this] { this->wakeup_->Wake(); });
  EXPECT_EQ(this->wakeup_->WaitUntil(this->clock_->Now() + absl::Hours(24)),
            WaitResult::kWoken);
  waker.join();
}

TYPED_TEST(ClockTest, IsWokenBeforeADeadlineBeyondTheSystemsTime) {
  this->wakeup_->Wake();
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::FromUnixSeconds(INT64_MAX)),
            WaitResult::kWoken);
}

TYPED_TEST(ClockTest, KeepsAWakeUpForTheNextWait) {
  this->wakeup_->Wake();
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
            WaitResult::kWoken);
}

TYPED_TEST(ClockTest, CountsSeveralWakeUpsBeforeAWaitAsOne) {
  this->wakeup_->Wake();
  this->wakeup_->Wake();
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
            WaitResult::kWoken);
  EXPECT_EQ(this->wakeup_->WaitUntil(this->clock_->Now()),
            WaitResult::kDeadline);
}

TYPED_TEST(ClockTest, PutsADeadlineBeforeAWakeUpAndKeepsTheWakeUp) {
  this->wakeup_->Wake();
  EXPECT_EQ(this->wakeup_->WaitUntil(this->clock_->Now()),
            WaitResult::kDeadline);
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
            WaitResult::kWoken);
}

TYPED_TEST(ClockTest, IsCancelledFromAnotherThread) {
  std::thread canceller([this] { this->wakeup_->Cancel(); });
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
            WaitResult::kCancelled);
  canceller.join();
}

TYPED_TEST(ClockTest, StaysCancelledWhateverElseHappens) {
  this->wakeup_->Wake();
  this->wakeup_->Cancel();
  this->wakeup_->Cancel();
  this->wakeup_->Wake();
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
            WaitResult::kCancelled);
  EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfinitePast()),
            WaitResult::kCancelled);
}

TYPED_TEST(ClockTest, WakesOnlyTheWakeupAskedFor) {
  const std::unique_ptr<Wakeup> other = this->clock_->NewWakeup();
  other->Wake();
  EXPECT_EQ(this->wakeup_->WaitUntil(this->clock_->Now()),
            WaitResult::kDeadline);
  EXPECT_EQ(other->WaitUntil(absl::InfiniteFuture()), WaitResult::kWoken);
}

TYPED_TEST(ClockTest, LosesNoWakeUpBetweenTwoThreadsThatWakeEachOther) {
  constexpr int kRounds = 1000;
  const std::unique_ptr<Wakeup> other = this->clock_->NewWakeup();
  std::thread echo([this, &other] {
    for (int i = 0; i < kRounds; ++i) {
      other->WaitUntil(absl::InfiniteFuture());
      this->wakeup_->Wake();
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    other->Wake();
    EXPECT_EQ(this->wakeup_->WaitUntil(absl::InfiniteFuture()),
              WaitResult::kWoken);
  }
  echo.join();
}

TYPED_TEST(ClockTest, CanBeHeld) {
  Hold hold(*this->clock_);
  Hold moved(std::move(hold));
  moved.End();
}

}  // namespace
}  // namespace byoshin::time
