#include "local/gateway/caller_waits.h"

#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"

namespace byoshin::local {
namespace {

class CallerWaitsTest : public ::testing::Test {
 protected:
  std::shared_ptr<CallerWork> NewWork() {
    return std::make_shared<CallerWork>(clock_, [this] { ++let_pass_; });
  }

  std::unique_ptr<CallerWaits::Run> Begin(std::shared_ptr<CallerWork> work) {
    return std::make_unique<CallerWaits::Run>(waits_, "key", std::move(work));
  }

  time::SimulatedClock clock_{absl::UnixEpoch()};
  int let_pass_ = 0;
  const std::shared_ptr<CallerWaits> waits_ = std::make_shared<CallerWaits>();
};

TEST_F(CallerWaitsTest, WorkHoldsTimeUntilItEnds) {
  auto run = Begin(NewWork());
  EXPECT_FALSE(clock_.idle());
  run.reset();
  EXPECT_TRUE(clock_.idle());
}

TEST_F(CallerWaitsTest, TimePassesWhileACallOfTheWorkWaits) {
  const auto run = Begin(NewWork());
  const std::shared_ptr<CallerWork> paused = waits_->Pause("key");
  ASSERT_NE(paused, nullptr);
  EXPECT_TRUE(clock_.idle());
  EXPECT_EQ(let_pass_, 1) << "what called the work waits, too";
  paused->Resume();
  EXPECT_FALSE(clock_.idle());
}

TEST_F(CallerWaitsTest, WorkThatCalledTheWorkWaitsToo) {
  const CallerWaits::Run outer(waits_, "outer", NewWork());
  std::shared_ptr<CallerWork> outer_paused;
  const auto run = Begin(std::make_shared<CallerWork>(
      clock_, [&] { outer_paused = waits_->Pause("outer"); }));
  const std::shared_ptr<CallerWork> paused = waits_->Pause("key");
  EXPECT_TRUE(clock_.idle());
  EXPECT_EQ(let_pass_, 1);
  paused->Resume();
  outer_paused->Resume();
}

TEST_F(CallerWaitsTest, TimePassesAsLongAsAnyCallWaits) {
  const auto run = Begin(NewWork());
  const auto first = waits_->Pause("key");
  const auto second = waits_->Pause("key");
  first->Resume();
  EXPECT_TRUE(clock_.idle());
  second->Resume();
  EXPECT_FALSE(clock_.idle());
}

TEST_F(CallerWaitsTest, ACallThatOutlivesItsWorkHoldsNothingAfterwards) {
  auto run = Begin(NewWork());
  auto paused = waits_->Pause("key");
  run.reset();
  // The next work of the same caller is not affected.
  run = Begin(NewWork());
  paused->Resume();
  paused.reset();
  EXPECT_FALSE(clock_.idle());
  run.reset();
  EXPECT_TRUE(clock_.idle());
}

TEST_F(CallerWaitsTest, WorkThatGoesToAnotherCallerIsHeldByThatOneAlone) {
  const auto work = NewWork();
  auto run = Begin(work);
  run = std::make_unique<CallerWaits::Run>(waits_, "another", work);
  EXPECT_EQ(waits_->Pause("key"), nullptr);
  const auto paused = waits_->Pause("another");
  ASSERT_NE(paused, nullptr);
  EXPECT_TRUE(clock_.idle());
}

TEST_F(CallerWaitsTest, TheEndOfAnEarlierWorkLeavesALaterOneAlone) {
  auto earlier = Begin(NewWork());
  const auto later = Begin(NewWork());
  earlier.reset();
  EXPECT_NE(waits_->Pause("key"), nullptr);
}

TEST_F(CallerWaitsTest, OthersHaveNoWork) {
  const auto run = Begin(NewWork());
  EXPECT_EQ(waits_->Pause("other"), nullptr);
  EXPECT_FALSE(clock_.idle());
}

}  // namespace
}  // namespace byoshin::local
