#include "core/generation/state_service.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using aws::stepfunctions::ExecutionStatus;
using testing::kAlice;
using testing::kBob;
using testing::kNever;
using testing::MemoryStore;

class StateServiceTest : public ::testing::Test {
 protected:
  Process Create(absl::string_view user = kAlice) {
    return states_
        .Create(user,
                ParseGenerateRequest(testing::SubGoalRequest(), clock_.Now())
                    .value(),
                kNever)
        .value();
  }
  Process CreateFailed() {
    const Process process = Create();
    EXPECT_TRUE(states_
                    .Move(process.id, ProcessStatus::kFailed,
                          ProcessErrorOf(kNetworkFailure), kNever)
                    .ok());
    return process;
  }
  static ErrorCode CodeOf(const absl::Status& status) {
    EXPECT_FALSE(status.ok());
    return ApiErrorOf(status).code;
  }
  const Process& Row(const std::string& id) {
    return store_.processes().at(id);
  }

  MemoryStore store_;
  time::testing::InstantClock clock_{testing::StartOfTests()};
  ProcessingStateService states_{{.store = store_,
                                  .clock = clock_,
                                  .state_machine_arn = testing::kStateMachine,
                                  .new_id = testing::CountingIds()}};
};

TEST_F(StateServiceTest, CreatesAPendingProcess) {
  const Process process = Create();
  EXPECT_EQ(process.status, ProcessStatus::kPending);
  EXPECT_EQ(process.progress, 0);
  EXPECT_EQ(process.retry_count, 0);
  EXPECT_EQ(process.origin_id, process.id);
  EXPECT_EQ(process.created_at, clock_.Now());
  EXPECT_EQ(process.execution_arn,
            "arn:aws:states:us-east-1:123456789012:execution:Generation:" +
                process.id);
  EXPECT_EQ(Row(process.id), process);
}

TEST_F(StateServiceTest, ShowsAProcessToItsOwnerOnly) {
  const Process process = Create();
  EXPECT_EQ(states_.Get(kAlice, process.id, kNever).value(), process);
  EXPECT_EQ(CodeOf(states_.Get(kBob, process.id, kNever).status()),
            ErrorCode::kForbidden);
  EXPECT_EQ(CodeOf(states_.Get(kAlice, testing::kGoalId, kNever).status()),
            ErrorCode::kForbidden);
}

TEST_F(StateServiceTest, ReportsADatabaseThatIsGoneAsWorthAnotherTry) {
  const Process process = Create();
  store_.FailNext(absl::UnavailableError("gone"));
  const absl::Status status = states_.Get(kAlice, process.id, kNever).status();
  EXPECT_EQ(ApiErrorOf(status), (ApiError{.code = ErrorCode::kDatabaseError,
                                          .retryable = Retryable::kYes}));
}

TEST_F(StateServiceTest, AdmitsTwentyRequestsAMinuteAndUser) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(states_.Admit(kAlice, kNever).ok());
    clock_.Advance(absl::Seconds(1));
  }
  EXPECT_EQ(CodeOf(states_.Admit(kAlice, kNever)),
            ErrorCode::kRateLimitExceeded);
  EXPECT_TRUE(states_.Admit(kBob, kNever).ok());
  // A minute after the first.
  clock_.Advance(absl::Seconds(40));
  EXPECT_TRUE(states_.Admit(kAlice, kNever).ok());
  EXPECT_EQ(CodeOf(states_.Admit(kAlice, kNever)),
            ErrorCode::kRateLimitExceeded);
}

TEST_F(StateServiceTest, MovesThroughTheStates) {
  const Process process = Create();
  const auto processing = states_.Move(process.id, ProcessStatus::kProcessing,
                                       std::nullopt, kNever);
  EXPECT_TRUE(processing->changed);
  EXPECT_FALSE(processing->process.completed_at.has_value());
  clock_.Advance(absl::Seconds(7));
  const auto completed =
      states_.Move(process.id, ProcessStatus::kCompleted, std::nullopt, kNever);
  EXPECT_TRUE(completed->changed);
  EXPECT_EQ(completed->process.progress, 100);
  EXPECT_EQ(completed->process.completed_at, clock_.Now());
}

TEST_F(StateServiceTest, LeavesAProcessThatIsOverAsItIs) {
  const Process process = Create();
  ASSERT_TRUE(states_.Cancel(kAlice, process.id, kNever).ok());
  const Process before = Row(process.id);
  for (const ProcessStatus to :
       {ProcessStatus::kProcessing, ProcessStatus::kCompleted,
        ProcessStatus::kFailed, ProcessStatus::kTimeout}) {
    const auto update = states_.Move(process.id, to, ProcessError(), kNever);
    ASSERT_TRUE(update.ok());
    EXPECT_FALSE(update->changed);
    EXPECT_EQ(Row(process.id), before);
  }
}

TEST_F(StateServiceTest, CancelsOnlyWhatIsActiveAndOnesOwn) {
  const Process process = Create();
  EXPECT_EQ(CodeOf(states_.Cancel(kBob, process.id, kNever).status()),
            ErrorCode::kForbidden);
  EXPECT_EQ(Row(process.id).status, ProcessStatus::kPending);
  EXPECT_EQ(states_.Cancel(kAlice, process.id, kNever)->status,
            ProcessStatus::kCancelled);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(CodeOf(states_.Cancel(kAlice, process.id, kNever).status()),
            ErrorCode::kCancelNotAllowed);
}

TEST_F(StateServiceTest, RetriesWithTheSameInput) {
  const Process failed = CreateFailed();
  clock_.Advance(absl::Hours(1));
  const absl::StatusOr<Process> retry =
      states_.Retry(kAlice, failed.id, kNever);
  ASSERT_TRUE(retry.ok()) << retry.status();
  EXPECT_NE(retry->id, failed.id);
  EXPECT_EQ(retry->params, failed.params);
  EXPECT_EQ(retry->type, failed.type);
  EXPECT_EQ(retry->target_id, failed.target_id);
  EXPECT_EQ(retry->origin_id, failed.id);
  EXPECT_EQ(retry->retry_count, 1);
  EXPECT_EQ(retry->status, ProcessStatus::kPending);
  EXPECT_EQ(retry->created_at, clock_.Now());
  EXPECT_EQ(Row(failed.id).status, ProcessStatus::kFailed);
}

TEST_F(StateServiceTest, RefusesAFourthRetryOfASeries) {
  std::string id = CreateFailed().id;
  const std::string first = id;
  for (int i = 1; i <= kMaxRetries; ++i) {
    const absl::StatusOr<Process> retry = states_.Retry(kAlice, id, kNever);
    ASSERT_TRUE(retry.ok()) << retry.status();
    EXPECT_EQ(retry->retry_count, i);
    id = retry->id;
    ASSERT_TRUE(states_
                    .Move(id, ProcessStatus::kTimeout,
                          ProcessErrorOf(kTimeoutFailure), kNever)
                    .ok());
  }
  EXPECT_EQ(CodeOf(states_.Retry(kAlice, id, kNever).status()),
            ErrorCode::kMaxRetryExceeded);
  EXPECT_EQ(CodeOf(states_.Retry(kAlice, first, kNever).status()),
            ErrorCode::kMaxRetryExceeded);
}

TEST_F(StateServiceTest, RetriesOnlyWhatFailedAndIsOnesOwn) {
  const Process active = Create();
  EXPECT_EQ(CodeOf(states_.Retry(kAlice, active.id, kNever).status()),
            ErrorCode::kRetryNotAllowed);
  const Process failed = CreateFailed();
  EXPECT_EQ(CodeOf(states_.Retry(kBob, failed.id, kNever).status()),
            ErrorCode::kForbidden);
}

TEST_F(StateServiceTest, TriesARetryAgainThatAnotherOvertook) {
  const Process failed = CreateFailed();
  store_.FailNext(absl::AlreadyExistsError("23505"));
  EXPECT_TRUE(states_.Retry(kAlice, failed.id, kNever).ok());
}

TEST_F(StateServiceTest, ClosesAProcessByItsExecutionsOutcome) {
  const struct {
    ExecutionStatus outcome;
    ProcessStatus status;
    const char* code;
  } kOutcomes[] = {
      {ExecutionStatus::kFailed, ProcessStatus::kFailed, kAiError},
      {ExecutionStatus::kTimedOut, ProcessStatus::kTimeout, kTimeoutError},
      {ExecutionStatus::kAborted, ProcessStatus::kCancelled, ""},
      {ExecutionStatus::kSucceeded, ProcessStatus::kPending, ""},
      {ExecutionStatus::kRunning, ProcessStatus::kPending, ""}};
  for (const auto& expected : kOutcomes) {
    const Process process = Create();
    const auto update =
        states_.CloseByOutcome(process.id, expected.outcome, kNever);
    ASSERT_TRUE(update.ok()) << update.status();
    EXPECT_EQ(update->process.status, expected.status);
    EXPECT_EQ(update->process.error.value_or(ProcessError()).code,
              expected.code);
    EXPECT_EQ(update->changed, IsFinal(expected.status));
  }
}

TEST_F(StateServiceTest, ListsTheNewestFirstInPages) {
  for (int i = 0; i < 5; ++i) {
    Create(i == 2 ? kBob : kAlice);
    clock_.Advance(absl::Seconds(1));
  }
  const absl::StatusOr<HistoryPage> page =
      states_.History(kAlice, {.page = 2, .page_size = 3}, kNever);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->total, 4);
  ASSERT_EQ(page->processes.size(), 1u);
  EXPECT_EQ(page->processes[0].created_at, testing::StartOfTests());
}

TEST_F(StateServiceTest, CountsPendingProcesses) {
  Create();
  Create(kBob);
  CreateFailed();
  EXPECT_EQ(states_.CountPending(kNever).value(), 2);
}

TEST_F(StateServiceTest, RemovesAfterNinetyDaysAndClosesWhatWasAbandoned) {
  const Process old = CreateFailed();
  clock_.Advance(kRetention);
  const Process kept = CreateFailed();
  const Process abandoned = Create();
  clock_.Advance(kAbandonedAfter);
  const Process young = Create();
  clock_.Advance(absl::Seconds(1));
  const auto done = states_.RemoveOld(kNever);
  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_EQ(done->removed, 1);
  EXPECT_EQ(done->closed, 1);
  EXPECT_FALSE(store_.processes().contains(old.id));
  EXPECT_EQ(Row(kept.id).status, ProcessStatus::kFailed);
  EXPECT_EQ(Row(abandoned.id).status, ProcessStatus::kTimeout);
  EXPECT_EQ(Row(young.id).status, ProcessStatus::kPending);
}

}  // namespace
}  // namespace byoshin::generation
