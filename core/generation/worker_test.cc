#include "core/generation/worker.h"

#include <json/json.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/generation/asker.h"
#include "core/generation/config.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/goal_store.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/generation/request.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using testing::FakeModel;
using testing::FakeWorkflow;
using testing::kAlice;
using testing::kGoalId;
using testing::kNever;
using testing::MemoryStore;

class WorkerTest : public ::testing::Test {
 protected:
  // A PROCESSING process; returns its id.
  std::string Start(absl::string_view body) {
    const GenerateRequest request =
        ParseGenerateRequest(body, clock_.Now()).value();
    const std::string id = ids_();
    store_.Put({.id = id,
                .origin_id = id,
                .user_id = kAlice,
                .type = request.type,
                .status = ProcessStatus::kProcessing,
                .target_id = request.target.id,
                .params = request.params,
                .created_at = clock_.Now(),
                .updated_at = clock_.Now()});
    return id;
  }
  std::string StartForGoal(ProcessType type) {
    return Start(type == ProcessType::kSubGoals
                     ? testing::SubGoalRequest()
                     : absl::StrCat(R"({"type":")", NameOf(type),
                                    R"(","params":{"goalId":")", kGoalId,
                                    R"("}})"));
  }
  absl::StatusOr<std::string> Work(const std::string& id) {
    return worker_.Handle({.payload = absl::StrCat(R"({"processId":")", id,
                                                   R"(","taskToken":"token"})"),
                           .request_id = "r",
                           .deadline = clock_.Now() + kWorkerTimeout});
  }
  void Generate(ProcessType type) {
    const std::string id = StartForGoal(type);
    const absl::StatusOr<std::string> done = Work(id);
    ASSERT_TRUE(done.ok()) << done.status();
  }
  const Process& Row(const std::string& id) {
    return store_.processes().at(id);
  }
  // The failure that was reported, by both ways.
  std::string FailureOf(const absl::StatusOr<std::string>& outcome) {
    EXPECT_FALSE(outcome.ok());
    EXPECT_FALSE(workflow_.failures.empty());
    if (outcome.ok() || workflow_.failures.empty()) return {};
    const std::string name = workflow_.failures.back().error;
    EXPECT_EQ(lambda::ErrorTypeOf(outcome.status()), name);
    return name;
  }

  MemoryStore store_;
  FakeModel model_;
  FakeWorkflow workflow_;
  time::testing::InstantClock clock_{testing::StartOfTests()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  std::function<std::string()> ids_ = testing::CountingIds();
  Worker worker_{{.model_id = "m", .temperature = 0.5, .max_tokens = 99},
                 {.processes = store_,
                  .goals = store_,
                  .models = model_,
                  .workflow = workflow_,
                  .clock = clock_,
                  .logger = logger_,
                  .new_id = [this] { return ids_(); }}};
};

TEST_F(WorkerTest, GeneratesSubGoalsThenActionsThenTasks) {
  const std::string sub_goals = StartForGoal(ProcessType::kSubGoals);
  ASSERT_TRUE(Work(sub_goals).ok());
  EXPECT_EQ(model_.requests().size(), 1u);
  EXPECT_EQ(Row(sub_goals).progress, 100);
  EXPECT_EQ(Row(sub_goals).status, ProcessStatus::kProcessing);
  EXPECT_EQ(json::ParseValue(Row(sub_goals).result).value()["subGoals"].size(),
            8u);
  EXPECT_EQ(store_.goals().at(kGoalId).user_id, kAlice);

  const std::string actions = StartForGoal(ProcessType::kActions);
  ASSERT_TRUE(Work(actions).ok());
  EXPECT_EQ(model_.requests().size(), 1u + 8u);
  const Json::Value lists =
      json::ParseValue(Row(actions).result).value()["subGoals"];
  ASSERT_EQ(lists.size(), 8u);
  EXPECT_EQ(lists[7]["actions"].size(), 8u);

  const std::string tasks = StartForGoal(ProcessType::kTasks);
  ASSERT_TRUE(Work(tasks).ok());
  EXPECT_EQ(model_.requests().size(), 1u + 8u + 64u);
  EXPECT_EQ(json::ParseValue(Row(tasks).result).value()["actions"].size(), 64u);
  EXPECT_LT(Row(tasks).result.size(), 64u * 1024);
}

TEST_F(WorkerTest, ReportsSuccessWithTheToken) {
  const std::string id = StartForGoal(ProcessType::kSubGoals);
  const absl::StatusOr<std::string> output = Work(id);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(*output,
            absl::StrCat(R"({"processId":")", id, R"(","progress":100})"));
  EXPECT_EQ(workflow_.successes.at("token"), *output);
  EXPECT_TRUE(workflow_.failures.empty());
}

TEST_F(WorkerTest, AsksWithTheConfiguredModel) {
  ASSERT_TRUE(Work(StartForGoal(ProcessType::kSubGoals)).ok());
  const aws::bedrock::ConverseRequest& request = model_.requests().at(0);
  EXPECT_EQ(request.model_id, "m");
  EXPECT_EQ(request.temperature, 0.5);
  EXPECT_EQ(request.max_tokens, 99);
  EXPECT_EQ(model_.deadlines().at(0), clock_.Now() + kModelCallTimeout);
}

TEST_F(WorkerTest, WorksOnASinglePart) {
  Generate(ProcessType::kSubGoals);
  const std::string sub_goal =
      store_.SubGoalsOf(kGoalId, kNever).value().at(2).id;
  const std::string id = Start(
      absl::StrCat(R"({"type":"ACTION_GENERATION","params":{"subGoalId":")",
                   sub_goal, R"("}})"));
  ASSERT_TRUE(Work(id).ok());
  EXPECT_EQ(model_.requests().size(), 1u + 1u);
  EXPECT_EQ(Row(id).progress, 100);
}

TEST_F(WorkerTest, RaisesTheProgressItemByItemAndSendsHeartbeats) {
  Generate(ProcessType::kSubGoals);
  workflow_.heartbeats = 0;
  const std::string id = StartForGoal(ProcessType::kActions);
  std::vector<int> seen;
  model_.OnQuestion([&] { seen.push_back(Row(id).progress); });
  ASSERT_TRUE(Work(id).ok());
  EXPECT_EQ(seen, (std::vector<int>{0, 12, 25, 37, 50, 62, 75, 87}));
  EXPECT_EQ(workflow_.heartbeats, 8);
}

TEST_F(WorkerTest, AsksAgainWithTheComplaint) {
  model_.Answer("ごめんなさい");
  model_.Answer("");
  ASSERT_TRUE(Work(StartForGoal(ProcessType::kSubGoals)).ok());
  ASSERT_EQ(model_.requests().size(), 3u);
  const auto& messages = model_.requests().back().messages;
  ASSERT_EQ(messages.size(), 5u);
  EXPECT_EQ(messages[1].text, "ごめんなさい");
  EXPECT_NE(messages[2].text.find("the answer is not a JSON object"),
            std::string::npos);
  EXPECT_FALSE(messages[3].text.empty());
}

TEST_F(WorkerTest, GivesUpAfterTwoComplaints) {
  for (int i = 0; i < 3; ++i) model_.Answer("SECRET-ANSWER");
  const std::string id = StartForGoal(ProcessType::kSubGoals);
  const absl::StatusOr<std::string> outcome = Work(id);
  EXPECT_EQ(FailureOf(outcome), kResponseInvalidFailure);
  EXPECT_EQ(workflow_.failures.back().cause, kAiResponseInvalid);
  EXPECT_EQ(model_.requests().size(), 3u);
  EXPECT_EQ(store_.saves(), 0);
}

TEST_F(WorkerTest, ComplainsOfAnAnswerThatWasCutOff) {
  model_.set_stop_reason(aws::bedrock::kStoppedAtMaxTokens);
  EXPECT_EQ(FailureOf(Work(StartForGoal(ProcessType::kSubGoals))),
            kResponseInvalidFailure);
  EXPECT_NE(model_.requests().back().messages.back().text.find("cut off"),
            std::string::npos);
}

TEST_F(WorkerTest, DoesNotAskAgainForWhatWasSavedBeforeARetry) {
  Generate(ProcessType::kSubGoals);
  const std::string id = StartForGoal(ProcessType::kActions);
  for (int i = 0; i < 3; ++i) model_.Answer(testing::ActionsAnswer());
  model_.Fail(absl::UnavailableError("connection reset"));
  EXPECT_EQ(FailureOf(Work(id)), kNetworkFailure);
  EXPECT_EQ(Row(id).progress, 37);

  // The workflow invokes the worker again.
  const std::size_t before = model_.requests().size();
  ASSERT_TRUE(Work(id).ok());
  EXPECT_EQ(model_.requests().size() - before, 5u);
  EXPECT_EQ(Row(id).progress, 100);
}

TEST_F(WorkerTest, GeneratesAnewForANewProcess) {
  Generate(ProcessType::kSubGoals);
  const std::string before =
      store_.SubGoalsOf(kGoalId, kNever).value().at(0).id;
  Generate(ProcessType::kSubGoals);
  EXPECT_EQ(model_.requests().size(), 2u);
  EXPECT_NE(store_.SubGoalsOf(kGoalId, kNever).value().at(0).id, before);
}

TEST_F(WorkerTest, ChangesNothingOnceTheProcessIsOver) {
  const std::string id = StartForGoal(ProcessType::kSubGoals);
  model_.OnQuestion([&] {
    ASSERT_TRUE(store_
                    .Move({.process_id = id,
                           .to = ProcessStatus::kCancelled,
                           .now = clock_.Now()},
                          kNever)
                    .ok());
  });
  EXPECT_EQ(FailureOf(Work(id)), kProcessEndedFailure);
  EXPECT_EQ(store_.saves(), 0);
  EXPECT_EQ(Row(id).progress, 0);
  EXPECT_TRUE(Row(id).result.empty());

  EXPECT_EQ(FailureOf(Work(id)), kProcessEndedFailure);
  EXPECT_EQ(model_.requests().size(), 1u);
}

TEST_F(WorkerTest, StopsWhenTheTaskIsNoLongerWaitedFor) {
  workflow_.heartbeat_status = absl::FailedPreconditionError("TaskTimedOut");
  EXPECT_EQ(FailureOf(Work(StartForGoal(ProcessType::kSubGoals))),
            kProcessEndedFailure);
  EXPECT_TRUE(model_.requests().empty());
}

TEST_F(WorkerTest, GoesOnIfAHeartbeatIsLost) {
  workflow_.heartbeat_status = absl::UnavailableError("no connection");
  EXPECT_TRUE(Work(StartForGoal(ProcessType::kSubGoals)).ok());
  EXPECT_EQ(sink_.Messages("WARN").at(0), "heartbeat not sent");
}

TEST_F(WorkerTest, StopsBeforeItsDeadline) {
  Generate(ProcessType::kSubGoals);
  const std::string id = StartForGoal(ProcessType::kActions);
  model_.OnQuestion([&] { clock_.Advance(absl::Seconds(200)); });
  EXPECT_EQ(FailureOf(Work(id)), kDeadlineFailure);
  EXPECT_EQ(Row(id).progress, 25);
}

TEST_F(WorkerTest, NamesFailuresOfTheModel) {
  const auto aws_error = [](const char* code, int status) {
    return aws::ToStatus({.code = code, .http_status = status},
                         "Bedrock Converse");
  };
  const struct {
    absl::Status status;
    const char* name;
  } kFailures[] = {
      {aws_error("ThrottlingException", 429), kThrottlingFailure},
      {aws_error("ServiceUnavailableException", 503), kUnavailableFailure},
      {aws_error("ModelTimeoutException", 408), kUnavailableFailure},
      {aws_error("ModelErrorException", 424), kModelFailure},
      {aws_error("ValidationException", 400), kModelFailure},
      {absl::UnavailableError("no connection"), kNetworkFailure},
      {absl::DeadlineExceededError("no answer"), kNetworkFailure},
      {absl::DataLossError("half an answer"), kNetworkFailure}};
  for (const auto& failure : kFailures) {
    model_.Fail(failure.status);
    EXPECT_EQ(FailureOf(Work(StartForGoal(ProcessType::kSubGoals))),
              failure.name)
        << failure.status;
  }
}

TEST_F(WorkerTest, NamesFailuresOfTheDatabase) {
  const std::string id = StartForGoal(ProcessType::kSubGoals);
  store_.FailNext(absl::UnavailableError("gone"));
  EXPECT_EQ(FailureOf(Work(id)), kDatabaseConnectionFailure);
  store_.FailNext(absl::InvalidArgumentError("42601"));
  EXPECT_EQ(FailureOf(Work(id)), kDatabaseFailure);
  EXPECT_EQ(FailureOf(Work(kGoalId)), kDatabaseFailure);
}

TEST_F(WorkerTest, DoesNotGenerateForAGoalOfAnotherUser) {
  store_.PutGoal({.id = kGoalId, .user_id = testing::kBob});
  EXPECT_EQ(FailureOf(Work(StartForGoal(ProcessType::kSubGoals))),
            kDatabaseFailure);
  EXPECT_EQ(FailureOf(Work(StartForGoal(ProcessType::kTasks))),
            kDatabaseFailure);
  EXPECT_EQ(store_.goals().at(kGoalId).user_id, testing::kBob);
}

TEST_F(WorkerTest, FailsIfThereIsNothingToWorkOn) {
  store_.PutGoal({.id = kGoalId, .user_id = kAlice});
  EXPECT_EQ(FailureOf(Work(StartForGoal(ProcessType::kActions))),
            kDatabaseFailure);
}

TEST_F(WorkerTest, LogsNothingOfPromptsAndAnswers) {
  model_.Answer("SECRET-ANSWER");
  const std::string id = StartForGoal(ProcessType::kSubGoals);
  ASSERT_TRUE(Work(id).ok());
  for (int i = 0; i < 3; ++i) model_.Answer("SECRET-ANSWER");
  const absl::Status failed =
      Work(StartForGoal(ProcessType::kSubGoals)).status();
  EXPECT_FALSE(failed.ok());
  sink_.WriteLine(absl::StrCat("{\"failed\":\"", failed.message(), "\"}"));
  for (const std::string& line : sink_.lines()) {
    EXPECT_EQ(line.find("SECRET"), std::string::npos) << line;
    EXPECT_EQ(line.find("英語"), std::string::npos) << line;
  }
}

TEST_F(WorkerTest, SucceedsIfTheTaskHasEndedBefore) {
  workflow_.success_status = absl::FailedPreconditionError("TaskTimedOut");
  EXPECT_TRUE(Work(StartForGoal(ProcessType::kSubGoals)).ok());
  workflow_.success_status = absl::UnavailableError("no connection");
  EXPECT_EQ(
      lambda::ErrorTypeOf(Work(StartForGoal(ProcessType::kSubGoals)).status()),
      kNetworkFailure);
}

TEST_F(WorkerTest, RefusesAnEventThatIsNotItsOwn) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      worker_.Handle({.payload = "{}", .request_id = "r"}).status()));
}

TEST(ProcessErrorOf, HasAMessageInBothLanguages) {
  const ProcessError error = ProcessErrorOf(kTimeoutFailure);
  EXPECT_EQ(MessageOf(error, Language::kJapanese), error.message);
  EXPECT_EQ(MessageOf(error, Language::kEnglish),
            "The processing took longer than allowed.");
  // As a later version stores it.
  const ProcessError unknown = {.code = "NEW", .message = "m"};
  EXPECT_EQ(MessageOf(unknown, Language::kEnglish), "m");
}

TEST(ProcessErrorOf, HasACodeForEveryFailure) {
  EXPECT_EQ(ProcessErrorOf(kThrottlingFailure).code, kAiThrottling);
  EXPECT_EQ(ProcessErrorOf(kUnavailableFailure).code, kAiError);
  EXPECT_EQ(ProcessErrorOf(kNetworkFailure).code, kAiError);
  EXPECT_EQ(ProcessErrorOf(kResponseInvalidFailure).code, kAiResponseInvalid);
  EXPECT_EQ(ProcessErrorOf(kDatabaseConnectionFailure).code,
            kProcessDatabaseError);
  EXPECT_EQ(ProcessErrorOf(kTimeoutFailure).code, kTimeoutError);
  EXPECT_EQ(ProcessErrorOf(kDeadlineFailure).code, kTimeoutError);
  EXPECT_EQ(ProcessErrorOf("Lambda.Unknown").code, kAiError);
}

}  // namespace
}  // namespace byoshin::generation
