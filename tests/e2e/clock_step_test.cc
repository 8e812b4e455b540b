// The cloud on a machine whose clock is set while it runs.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/stepped_clock.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'764'669'600);  // 10:00:00

// Adds the slots from one time of the clock up to another, each once.
void AddOnce(absl::Duration from, absl::Duration to,
             std::map<absl::Time, int>& slots) {
  for (; from < to; from += scheduler::kSlotInterval) slots[kStart + from] = 1;
}

class ClockStepTest : public testing::Test {
 protected:
  ClockStepTest() {
    const absl::Status deployed = cloud_.Deploy(cloud_.deployment());
    EXPECT_TRUE(deployed.ok()) << deployed;
    cloud_->Begin();
  }

  // Until the clock itself, steps included, shows so much after kStart.
  void RunUntil(absl::Duration time) {
    clock_.base().RunUntil(clock_.base().Now() +
                           (kStart + time - clock_.Now()));
  }
  void ExpectNoErrors() {
    for (const char* function : {kSender, kCollector}) {
      EXPECT_EQ(cloud_.StatusOf(function).errors, 0) << function;
    }
  }

  SteppedClock clock_{kStart - absl::Seconds(1)};
  TestCloud cloud_{clock_};
};

TEST_F(ClockStepTest, ForwardPassesOverMinutesAndLosesNoneThatHasFired) {
  RunUntil(absl::Seconds(150));
  clock_.Step(absl::Minutes(10));
  // The rest of the minute is overdue now, and is stored at once. So is the
  // first slot of the minute that has begun: it fires late, at 10:12:30.
  clock_.base().RunUntil(clock_.base().Now());
  std::map<absl::Time, int> expected;
  AddOnce(absl::ZeroDuration(), absl::Minutes(3), expected);
  AddOnce(absl::Minutes(12), absl::Minutes(12) + scheduler::kSlotInterval,
          expected);
  EXPECT_EQ(cloud_.stored(), expected);
  EXPECT_EQ(cloud_.StatusOf(kSender).invocations, 3 + 1);

  // It goes on with the next minute; those between never were.
  RunUntil(absl::Minutes(15) - absl::Seconds(1));
  AddOnce(absl::Minutes(12), absl::Minutes(15), expected);
  EXPECT_EQ(cloud_.stored(), expected);
  EXPECT_EQ(cloud_.StatusOf(kSender).invocations, 3 + 3);
  ExpectNoErrors();
}

TEST_F(ClockStepTest, BackwardFiresNothingTwiceAndGoesOnWhereItWas) {
  RunUntil(absl::Seconds(750));
  std::map<absl::Time, int> expected;
  AddOnce(absl::ZeroDuration(), absl::Seconds(755), expected);
  EXPECT_EQ(cloud_.stored(), expected);
  clock_.Step(-absl::Minutes(10));
  // A rule that is changed looks at the clock afresh, as each does by itself
  // once it has noticed that the clock was set.
  local::stack::StackDeployment changed = cloud_.deployment();
  ASSERT_EQ(absl::StrReplaceAll({{"Invokes the Sender", "Calls the Sender"}},
                                &changed.template_text),
            1);
  const absl::Status deployed = cloud_.Deploy(changed);
  ASSERT_TRUE(deployed.ok()) << deployed;

  // A second time it shows 10:03 to 10:12, which have been.
  RunUntil(absl::Seconds(750));
  EXPECT_EQ(cloud_.stored(), expected);
  EXPECT_EQ(cloud_.StatusOf(kSender).invocations, 13);
  EXPECT_EQ(cloud_.StatusOf(kCollector).invocations, expected.size());

  RunUntil(absl::Minutes(15) - absl::Seconds(1));
  AddOnce(absl::Seconds(755), absl::Minutes(15), expected);
  EXPECT_EQ(cloud_.stored(), expected);
  EXPECT_EQ(cloud_.StatusOf(kSender).invocations, 15);
  ExpectNoErrors();
}

TEST_F(ClockStepTest, BackAndForthIsAsIfItHadNotBeen) {
  RunUntil(absl::Seconds(150));
  clock_.Step(-absl::Seconds(90));
  RunUntil(absl::Seconds(70));
  clock_.Step(absl::Seconds(90));
  RunUntil(absl::Minutes(5) - absl::Seconds(1));
  std::map<absl::Time, int> expected;
  AddOnce(absl::ZeroDuration(), absl::Minutes(5), expected);
  EXPECT_EQ(cloud_.stored(), expected);
  EXPECT_EQ(cloud_.StatusOf(kSender).invocations, 5);
  ExpectNoErrors();
}

}  // namespace
}  // namespace byoshin::e2e
