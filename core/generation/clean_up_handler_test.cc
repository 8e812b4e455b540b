#include "core/generation/clean_up_handler.h"

#include <json/json.h>

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/api_handler.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/process.h"
#include "core/generation/state_service.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/generation/workflow.h"
#include "core/generation/workflow_handler.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using aws::stepfunctions::Execution;
using aws::stepfunctions::ExecutionStatus;
using testing::kAlice;

class CleanUpTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Handle(lambda::Handler& handler,
                                     const std::string& event) {
    return handler.Handle({.payload = event,
                           .request_id = "r",
                           .deadline = clock_.Now() + absl::Minutes(1)});
  }
  Json::Value SendApi(lambda::Handler& handler, const Json::Value& request) {
    Json::Value event = request;
    event["path"] = "/";
    event["httpMethod"] = "POST";
    event["requestContext"]["authorizer"]["claims"]["sub"] = kAlice;
    return json::ParseValue(Handle(handler, json::WriteValue(event)).value())
        .value();
  }
  void Generate() {
    Json::Value event(Json::objectValue);
    event["body"] = testing::SubGoalRequest();
    SendApi(generate_, event);
  }
  Json::Value SendAbout(lambda::Handler& handler, const std::string& id) {
    Json::Value event(Json::objectValue);
    event["pathParameters"]["processId"] = id;
    return SendApi(handler, event);
  }
  // The process's status, as the API says.
  std::string Show(const std::string& id) {
    const Json::Value answer = SendAbout(status_, id);
    EXPECT_EQ(answer["statusCode"].asInt(), 200);
    return json::ParseValue(answer["body"].asString())
        .value()["data"]["status"]
        .asString();
  }
  Json::Value Sweep() {
    return json::ParseValue(Handle(clean_up_, "{}").value()).value();
  }
  std::string SweepText() { return Handle(clean_up_, "{}").value(); }

  // A PENDING process that nobody is starting any more.
  std::string PutUnstarted() {
    const std::string id = ids_();
    store_.Put(
        {.id = id,
         .origin_id = id,
         .user_id = kAlice,
         .created_at = clock_.Now() - kUnstartedAfter - absl::Seconds(1),
         .execution_arn = ExecutionArnFor(testing::kStateMachine, id).value()});
    return id;
  }
  void PutExecution(const std::string& id, ExecutionStatus status) {
    ASSERT_TRUE(start_.Start(Row(id), absl::InfiniteFuture()).ok());
    workflow_.executions.at(Row(id).execution_arn).status = status;
  }
  const Process& Row(const std::string& id) {
    return store_.processes().at(id);
  }

  // Stands in for the state machine: with each execution, it changes the state
  // of the process twice, unless the process is over.
  void RunExecutions() {
    for (auto& [arn, execution] : workflow_.executions) {
      if (execution.status != ExecutionStatus::kRunning) continue;
      execution.status = ExecutionStatus::kSucceeded;
      for (const char* to : {"PROCESSING", "COMPLETED"}) {
        Json::Value event = json::ParseValue(execution.input).value();
        event["status"] = to;
        if (!Handle(update_, json::WriteValue(event)).ok()) break;
      }
    }
  }

  testing::MemoryStore store_;
  testing::FakeWorkflow workflow_;
  time::testing::InstantClock clock_{testing::StartOfTests()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  std::function<std::string()> ids_ = testing::CountingIds();
  ProcessingStateService states_{{.store = store_,
                                  .clock = clock_,
                                  .state_machine_arn = testing::kStateMachine,
                                  .new_id = ids_}};
  Workflow start_{workflow_, testing::kStateMachine};
  const ApiDependencies api_{
      .states = states_, .logger = logger_, .config = {.allowed_origin = "*"}};
  GenerateHandler generate_{api_, store_, clock_, start_};
  RetryHandler retry_{api_, start_};
  StatusCheckHandler status_{api_, start_};
  CancelHandler cancel_{api_, workflow_};
  UpdateStateHandler update_{states_, logger_};
  CleanUpHandler clean_up_{
      {.states = states_, .workflow = start_, .logger = logger_}};
};

enum class Starter { kGenerate, kRetry };
enum class Repairer { kSweep, kStatus };
enum class Executions { kNotStarted, kStarted };
// More than the functions make.
constexpr int kCalls = 6;

class InterruptedStartTest
    : public CleanUpTest,
      public ::testing::WithParamInterface<std::tuple<Starter, Repairer>> {
 protected:
  // Runs the function that starts a process, and kills it after so many calls
  // of the database, before or after Step Functions took its request: nothing
  // that it does afterwards has an effect, and nobody sees its answer.
  void StartAndDie(int database_calls, Executions executions) {
    std::string source;
    if (std::get<Starter>(GetParam()) == Starter::kRetry) {
      source = ids_();
      store_.Put({.id = source,
                  .origin_id = source,
                  .user_id = kAlice,
                  .status = ProcessStatus::kFailed,
                  .created_at = clock_.Now(),
                  .completed_at = clock_.Now()});
    }
    store_.SucceedNext(database_calls);
    for (int i = 0; i < kCalls; ++i) {
      store_.FailNext(absl::UnavailableError("killed"));
    }
    workflow_.start_status = absl::UnavailableError("killed");
    if (source.empty()) {
      Generate();
    } else {
      SendAbout(retry_, source);
    }
    store_.ClearScript();
    workflow_.start_status = absl::OkStatus();
    for (const std::string& id : Pending()) {
      if (executions == Executions::kStarted) {
        ASSERT_TRUE(start_.Start(Row(id), absl::InfiniteFuture()).ok());
      }
    }
  }
  std::vector<std::string> Pending() {
    std::vector<std::string> ids;
    for (const auto& [id, process] : store_.processes()) {
      if (process.status == ProcessStatus::kPending) ids.push_back(id);
    }
    return ids;
  }
  void Repair() {
    if (std::get<Repairer>(GetParam()) == Repairer::kSweep) {
      Sweep();
      return;
    }
    for (const std::string& id : Pending()) EXPECT_EQ(Show(id), "PENDING");
  }
};

TEST_P(InterruptedStartTest, ComesToATrueEnd) {
  int left_pending = 0;
  for (int calls = 0; calls <= kCalls; ++calls) {
    for (const Executions executions :
         {Executions::kNotStarted, Executions::kStarted}) {
      SCOPED_TRACE(absl::StrCat(calls, " calls of the database"));
      StartAndDie(calls, executions);
      const std::vector<std::string> interrupted = Pending();
      left_pending += static_cast<int>(interrupted.size());
      clock_.Advance(kUnstartedAfter + absl::Seconds(1));
      Repair();
      RunExecutions();
      for (const std::string& id : interrupted) {
        EXPECT_EQ(Row(id).status, ProcessStatus::kCompleted) << id;
        EXPECT_TRUE(workflow_.executions.contains(Row(id).execution_arn));
      }
      // A call that could still tell the database has ended its process.
      for (const auto& [id, process] : store_.processes()) {
        EXPECT_TRUE(IsFinal(process.status)) << id;
      }
    }
  }
  EXPECT_EQ(workflow_.executions.size(), left_pending);
  // Only the call after the one that adds the row leaves it so.
  EXPECT_EQ(left_pending, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Starts, InterruptedStartTest,
    ::testing::Combine(::testing::Values(Starter::kGenerate, Starter::kRetry),
                       ::testing::Values(Repairer::kSweep, Repairer::kStatus)));

TEST_F(CleanUpTest, CountsWhatItDoes) {
  PutUnstarted();
  const std::string ended = PutUnstarted();
  PutExecution(ended, ExecutionStatus::kFailed);
  EXPECT_EQ(SweepText(), R"({"removed":0,"closed":0,"started":1,"ended":1})");
  clock_.Advance(kAbandonedAfter);
  EXPECT_EQ(SweepText(), R"({"removed":0,"closed":1,"started":0,"ended":0})");
  clock_.Advance(kRetention);
  EXPECT_EQ(SweepText(), R"({"removed":2,"closed":0,"started":0,"ended":0})");
  EXPECT_TRUE(store_.processes().empty());
}

TEST_F(CleanUpTest, LeavesAProcessAloneThatMayBeBeingStarted) {
  const std::string id = PutUnstarted();
  Process young = Row(id);
  young.created_at = clock_.Now() - kUnstartedAfter;
  store_.Put(young);
  EXPECT_EQ(Show(id), "PENDING");
  EXPECT_EQ(Sweep()["started"].asInt(), 0);
  EXPECT_TRUE(workflow_.started.empty());
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(Sweep()["started"].asInt(), 1);
}

TEST_F(CleanUpTest, StartsNoSecondExecution) {
  const std::string id = PutUnstarted();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Sweep()["started"].asInt(), 1);
    EXPECT_EQ(Show(id), "PENDING");
  }
  EXPECT_EQ(workflow_.executions.size(), 1u);
}

TEST_F(CleanUpTest, EndsAProcessAsItsExecutionHasEnded) {
  const struct {
    ExecutionStatus outcome;
    ProcessStatus status;
    const char* code;
  } kEnds[] = {
      {ExecutionStatus::kFailed, ProcessStatus::kFailed, kAiError},
      {ExecutionStatus::kTimedOut, ProcessStatus::kTimeout, kTimeoutError},
      {ExecutionStatus::kAborted, ProcessStatus::kCancelled, nullptr},
      // It closed the process, and the database lost that.
      {ExecutionStatus::kSucceeded, ProcessStatus::kFailed, kAiError}};
  for (const auto& end : kEnds) {
    const std::string id = PutUnstarted();
    PutExecution(id, end.outcome);
    // The status call may not write.
    EXPECT_EQ(Show(id), "PENDING");
    EXPECT_EQ(Sweep()["ended"].asInt(), 1);
    EXPECT_EQ(Row(id).status, end.status);
    EXPECT_EQ(Row(id).error.has_value(), end.code != nullptr);
    if (end.code != nullptr) {
      EXPECT_EQ(Row(id).error->code, end.code);
    }
  }
  // Cancelled processes have none.
  EXPECT_EQ(sink_.metrics().size(), 3u);
}

TEST_F(CleanUpTest, DoesNotReviveWhatIsCancelledMeanwhile) {
  const std::string id = PutUnstarted();
  Sweep();
  EXPECT_EQ(SendAbout(cancel_, id)["statusCode"].asInt(), 200);
  RunExecutions();
  EXPECT_EQ(Row(id).status, ProcessStatus::kCancelled);
  EXPECT_EQ(Sweep()["started"].asInt(), 0);
}

TEST_F(CleanUpTest, LeavesTheRestToTheNextSweepIfStepFunctionsIsGone) {
  PutUnstarted();
  PutUnstarted();
  workflow_.start_status = absl::UnavailableError("gone");
  EXPECT_EQ(SweepText(), R"({"removed":0,"closed":0,"started":0,"ended":0})");
  EXPECT_EQ(workflow_.started.size(), 1u);
  EXPECT_EQ(sink_.Messages("ERROR").at(0), "pending process not repaired");
  workflow_.start_status = absl::OkStatus();
  EXPECT_EQ(Sweep()["started"].asInt(), 2);
}

TEST_F(CleanUpTest, LetsOneProcessThatCantBeRepairedStopNoOther) {
  PutUnstarted();
  PutUnstarted();
  workflow_.start_status = absl::PermissionDeniedError("AccessDenied");
  Sweep();
  EXPECT_EQ(workflow_.started.size(), 2u);
}

TEST_F(CleanUpTest, StartsTheOldestFirstUpToALimit) {
  for (int i = 0; i < kMaxSweptProcesses; ++i) PutUnstarted();
  clock_.Advance(absl::Seconds(1));
  const std::string last = PutUnstarted();
  EXPECT_EQ(Sweep()["started"].asInt(), kMaxSweptProcesses);
  EXPECT_FALSE(workflow_.executions.contains(Row(last).execution_arn));
  RunExecutions();
  EXPECT_EQ(Sweep()["started"].asInt(), 1);
  EXPECT_TRUE(workflow_.executions.contains(Row(last).execution_arn));
}

TEST_F(CleanUpTest, FailsWithTheNameOfAnErrorOfTheDatabase) {
  store_.FailNext(absl::UnavailableError("gone"));
  EXPECT_FALSE(Handle(clean_up_, "{}").ok());
}

TEST_F(CleanUpTest, ShowsAProcessEvenIfItCantBeStarted) {
  const std::string id = PutUnstarted();
  workflow_.start_status = absl::UnavailableError("gone");
  EXPECT_EQ(Show(id), "PENDING");
  EXPECT_EQ(sink_.Messages("WARN").at(0),
            "execution of a pending process not started");
}

}  // namespace
}  // namespace byoshin::generation
