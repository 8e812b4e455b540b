#include "core/generation/process.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/testing/fixture.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

TEST(ProcessNames, AreReadAsTheyAreWritten) {
  for (const ProcessType type : kProcessTypes) {
    EXPECT_EQ(ProcessTypeOf(NameOf(type)), type);
  }
  for (const ProcessStatus status : kProcessStatuses) {
    EXPECT_EQ(ProcessStatusOf(NameOf(status)), status);
  }
  EXPECT_FALSE(ProcessTypeOf("subgoal_generation").has_value());
  EXPECT_FALSE(ProcessStatusOf("").has_value());
}

TEST(ProcessRules, LetNothingLeaveAFinalState) {
  for (const ProcessStatus from : kProcessStatuses) {
    for (const ProcessStatus to : kProcessStatuses) {
      if (IsFinal(from)) {
        EXPECT_FALSE(CanMove(from, to)) << NameOf(from) << NameOf(to);
      } else if (IsFinal(to)) {
        EXPECT_TRUE(CanMove(from, to)) << NameOf(from) << NameOf(to);
      }
    }
  }
  EXPECT_TRUE(CanMove(ProcessStatus::kPending, ProcessStatus::kProcessing));
  EXPECT_FALSE(CanMove(ProcessStatus::kProcessing, ProcessStatus::kPending));
}

TEST(ProcessRules, AllowARetryAfterAFailureOrATimeout) {
  for (const ProcessStatus status : kProcessStatuses) {
    EXPECT_EQ(CanRetry(status), status == ProcessStatus::kFailed ||
                                    status == ProcessStatus::kTimeout);
  }
}

TEST(ProgressOf, IsRoundedDown) {
  EXPECT_EQ(ProgressOf(1, 8), 12);
  EXPECT_EQ(ProgressOf(1, 64), 1);
  EXPECT_EQ(ProgressOf(63, 64), 98);
  EXPECT_EQ(ProgressOf(64, 64), 100);
  EXPECT_EQ(ProgressOf(0, 0), 100);
}

TEST(EstimatedCompletionTime, DependsOnTheType) {
  Process process{.created_at = absl::UnixEpoch()};
  EXPECT_EQ(EstimatedCompletionTime(process),
            absl::UnixEpoch() + absl::Seconds(60));
  process.type = ProcessType::kActions;
  EXPECT_EQ(EstimatedCompletionTime(process),
            absl::UnixEpoch() + absl::Seconds(180));
  process.type = ProcessType::kTasks;
  EXPECT_EQ(EstimatedCompletionTime(process),
            absl::UnixEpoch() + absl::Seconds(120));
}

TEST(ExecutionArnFor, NamesTheExecutionAfterTheProcess) {
  EXPECT_EQ(ExecutionArnFor(testing::kStateMachine, "p").value(),
            "arn:aws:states:us-east-1:123456789012:execution:Generation:p");
  EXPECT_TRUE(
      absl::IsInvalidArgument(ExecutionArnFor("Generation", "p").status()));
}

}  // namespace
}  // namespace byoshin::generation
