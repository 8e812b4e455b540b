// The workflow of asynchronous generation on the deployed stack: what users see
// while it runs, when it fails, when it takes too long, and when they cancel.
#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "local/bedrock/faults.h"
#include "local/gateway/error.h"
#include "tests/e2e/generation/generation_cloud.h"

namespace byoshin::e2e {
namespace {

using local::bedrock::Fault;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::SizeIs;

// What goes wrong: the database, when a service's operation is called for the
// first time; heartbeats, as long as they are lost; functions that start
// executions, as long as they end before that.
struct Trigger {
  std::string service{};
  std::string operation{};
  std::atomic<bool> armed = false;
  std::atomic<bool> loses_heartbeats = false;
  std::atomic<bool> ends_starters = false;
};

class WorkflowTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    clock_ = new time::SimulatedClock(kStart);
    trigger_ = new Trigger();
    cloud_ = new GenerationCloud(
        *clock_, {.fault = [](absl::string_view service,
                              absl::string_view operation) -> absl::Status {
          if (trigger_->armed && service == trigger_->service &&
              operation == trigger_->operation) {
            trigger_->armed = false;
            cloud_->SetDatabaseFails(true);
          }
          const bool ends_starter =
              trigger_->ends_starters && operation == "StartExecution";
          // Nothing that the function does afterwards has an effect.
          if (ends_starter) cloud_->SetDatabaseFails(true);
          if (ends_starter || (trigger_->loses_heartbeats &&
                               operation == "SendTaskHeartbeat")) {
            return local::ServiceError({.code = "ValidationException",
                                        .message = "simulated fault",
                                        .http_status = 400});
          }
          return absl::OkStatus();
        }});
  }
  static void TearDownTestSuite() {
    delete cloud_;
    delete trigger_;
    delete clock_;
  }

  void SetUp() override { cloud().model().Clear(); }
  void TearDown() override {
    cloud().model().Clear();
    cloud().SetDatabaseFails(false);
    trigger_->loses_heartbeats = false;
    trigger_->ends_starters = false;
    // Nothing of this test goes on in the next.
    clock().RunUntil(clock().Now() + absl::Hours(2));
    EXPECT_THAT(cloud().denials(), IsEmpty());
  }

  static time::SimulatedClock& clock() { return *clock_; }
  static GenerationCloud& cloud() { return *cloud_; }

  // The database is gone from the next such call on.
  static void LoseDatabaseAt(const std::string& service,
                             const std::string& operation) {
    trigger_->service = service;
    trigger_->operation = operation;
    trigger_->armed = true;
  }

  // A user of this test alone, so that no other test uses up the rate.
  std::string User() const {
    return absl::StrCat(
        "user-",
        ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  std::string StatusOf(const std::string& process) {
    return json::TextMember(cloud().Show(User(), process), "status");
  }
  void RunFor(absl::Duration duration) {
    clock().RunUntil(clock().Now() + duration);
  }

  // Returns a process whose row was added, and whose execution was not started
  // before the function ended, some time ago.
  std::string LeaveWithoutExecution() {
    trigger_->ends_starters = true;
    Json::Value body(Json::objectValue);
    body["type"] = kSubGoals;
    body["params"] = GenerationCloud::GoalParams(random::NewUuid());
    const Reply reply = cloud().Call(User(), "POST", generation::kGeneratePath,
                                     json::WriteValue(body));
    EXPECT_EQ(reply.status, 500) << json::WriteValue(reply.body);
    trigger_->ends_starters = false;
    cloud().SetDatabaseFails(false);
    // The functions have the machine's clock.
    const auto rows = cloud().Query(absl::StrCat(
        "UPDATE processing_states SET created_at = created_at - interval '",
        absl::ToInt64Seconds(generation::kUnstartedAfter) + 1,
        " seconds' WHERE status = 'PENDING' RETURNING id"));
    EXPECT_THAT(rows, SizeIs(1));
    return rows.empty() ? "" : rows[0][0];
  }

  // Cancels, and expects that nothing changes any more.
  void CancelAndExpectItToLast(const std::string& process) {
    const Reply reply = cloud().Call(
        User(), "POST", absl::StrCat("/api/ai/async/cancel/", process));
    EXPECT_EQ(reply.status, 200) << json::WriteValue(reply.body);
    EXPECT_EQ(reply.body["data"]["status"], "CANCELLED");
    const Json::Value cancelled = cloud().Show(User(), process);
    const auto rows = [&] {
      return cloud().Query("SELECT count(*) FROM actions");
    };
    const auto before = rows();
    cloud().SetDatabaseFails(false);
    cloud().model().Clear();
    RunFor(absl::Minutes(20));
    EXPECT_EQ(cloud().Show(User(), process), cancelled);
    EXPECT_EQ(rows(), before) << "a late worker has saved something";
    EXPECT_EQ(cloud().Execution(process)["status"], "ABORTED");
  }

  static time::SimulatedClock* clock_;
  static Trigger* trigger_;
  static GenerationCloud* cloud_;
};

time::SimulatedClock* WorkflowTest::clock_ = nullptr;
Trigger* WorkflowTest::trigger_ = nullptr;
GenerationCloud* WorkflowTest::cloud_ = nullptr;

TEST_F(WorkflowTest, TurnsAGoalIntoSubGoalsActionsAndTasks) {
  const std::string goal = random::NewUuid();
  const Json::Value started =
      cloud().Generate(User(), kSubGoals, GenerationCloud::GoalParams(goal));
  EXPECT_EQ(started["status"], "PENDING");
  EXPECT_EQ(started["progress"], 0);
  clock().AwaitIdle();
  Json::Value data = cloud().Show(User(), started["processId"].asString());
  EXPECT_EQ(data["status"], "COMPLETED");
  EXPECT_EQ(data["progress"], 100);
  EXPECT_EQ(data["result"]["goalId"], goal);
  EXPECT_EQ(data["result"]["subGoals"].size(), 8u);
  EXPECT_TRUE(data.isMember("completedAt"));

  const std::string actions =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  clock().AwaitIdle();
  data = cloud().Show(User(), actions);
  EXPECT_EQ(data["status"], "COMPLETED");
  ASSERT_EQ(data["result"]["subGoals"].size(), 8u);
  for (const Json::Value& sub_goal : data["result"]["subGoals"]) {
    EXPECT_EQ(sub_goal["actions"].size(), 8u);
  }

  const std::string tasks =
      cloud().Start(User(), kTasks, GenerationCloud::GoalOf(goal));
  clock().AwaitIdle();
  data = cloud().Show(User(), tasks);
  EXPECT_EQ(data["status"], "COMPLETED");
  ASSERT_EQ(data["result"]["actions"].size(), 64u);
  for (const Json::Value& action : data["result"]["actions"]) {
    EXPECT_GE(action["tasks"].size(), 1u);
  }
  // How the execution ended is what the database says.
  const Json::Value execution = cloud().Execution(tasks);
  EXPECT_EQ(execution["status"], "SUCCEEDED");
  EXPECT_EQ(json::ParseValue(execution["output"].asString()).value()["status"],
            "COMPLETED");
}

TEST_F(WorkflowTest, WorksOnASingleSubGoalAndASingleAction) {
  const std::string goal = cloud().NewGoal(User());
  Json::Value sub_goal(Json::objectValue);
  sub_goal["subGoalId"] =
      cloud().Query(absl::StrCat("SELECT id FROM sub_goals WHERE goal_id = '",
                                 goal, "' AND position = 3"))[0][0];
  const std::string actions = cloud().Start(User(), kActions, sub_goal);
  clock().AwaitIdle();
  const Json::Value data = cloud().Show(User(), actions);
  EXPECT_EQ(data["status"], "COMPLETED");
  ASSERT_EQ(data["result"]["subGoals"].size(), 1u);
  Json::Value action(Json::objectValue);
  action["actionId"] = data["result"]["subGoals"][0]["actions"][0]["id"];
  const std::string tasks = cloud().Start(User(), kTasks, action);
  clock().AwaitIdle();
  EXPECT_EQ(cloud().Show(User(), tasks)["result"]["actions"].size(), 1u);
}

TEST_F(WorkflowTest, LetsTwoProcessesReplaceTheSameParts) {
  const std::string goal = cloud().NewGoal(User());
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(10)});
  const std::string first =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  const std::string second =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  RunFor(absl::Minutes(2));
  EXPECT_EQ(StatusOf(first), "COMPLETED");
  EXPECT_EQ(StatusOf(second), "COMPLETED");
}

TEST_F(WorkflowTest, ShowsProgressInTheStepsOfTheDesign) {
  const std::string goal = cloud().NewGoal(User());
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(10)});
  const std::string process =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  std::vector<int> seen;
  for (int i = 0; i < 8; ++i) {
    clock().AwaitIdle();
    seen.push_back(cloud().Show(User(), process)["progress"].asInt());
    RunFor(absl::Seconds(10));
  }
  // 12.5 percent each, rounded down.
  EXPECT_THAT(seen, ElementsAre(0, 12, 25, 37, 50, 62, 75, 87));
  EXPECT_EQ(cloud().Show(User(), process)["progress"], 100);
}

TEST_F(WorkflowTest, TimesOutAfterExactly300Seconds) {
  const std::string goal = cloud().NewGoal(User());
  // Eight questions of 40 s: heartbeats come in time, the end does not.
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(40)});
  const std::string process =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  RunFor(absl::Seconds(300) - absl::Milliseconds(1));
  EXPECT_EQ(StatusOf(process), "PROCESSING");
  RunFor(absl::Milliseconds(1));
  const Json::Value data = cloud().Show(User(), process);
  EXPECT_EQ(data["status"], "TIMEOUT");
  EXPECT_EQ(data["error"]["code"], "TIMEOUT_ERROR");
  EXPECT_EQ(data["error"]["message"], "処理時間が制限を超えました");
  EXPECT_EQ(data["progress"], 87);
  EXPECT_THAT(cloud().TimesOf(process, "TaskTimedOut"),
              ElementsAre(absl::Seconds(300)));
  // The worker has its eighth answer at 320 s, and changes nothing.
  RunFor(absl::Minutes(2));
  EXPECT_EQ(cloud().Show(User(), process), data);
  EXPECT_EQ(cloud().Query(absl::StrCat(
                "SELECT count(*) FROM actions AS a JOIN sub_goals AS s "
                "ON s.id = a.sub_goal_id WHERE s.goal_id = '",
                goal, "'"))[0][0],
            "56");
}

TEST_F(WorkflowTest, TimesOutIfHeartbeatsAreMissing) {
  const std::string goal = cloud().NewGoal(User());
  // The worker asks, gets answers and saves them, but is not heard of.
  trigger_->loses_heartbeats = true;
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(40)});
  const std::string process =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  RunFor(absl::Seconds(60) - absl::Milliseconds(1));
  EXPECT_EQ(StatusOf(process), "PROCESSING");
  RunFor(absl::Milliseconds(1));
  EXPECT_EQ(StatusOf(process), "TIMEOUT");
  EXPECT_EQ(cloud().Show(User(), process)["error"]["code"], "TIMEOUT_ERROR");
}

TEST_F(WorkflowTest, TriesAgainAfter1And2And4Seconds) {
  cloud().model().Set({.kind = Fault::Kind::kThrottling});
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(1));
  const Json::Value data = cloud().Show(User(), process);
  EXPECT_EQ(data["status"], "FAILED");
  EXPECT_EQ(data["error"]["code"], "AI_THROTTLING");
  EXPECT_THAT(cloud().TimesOf(process, "TaskFailed"),
              ElementsAre(absl::Seconds(0), absl::Seconds(1), absl::Seconds(3),
                          absl::Seconds(7)));
  EXPECT_EQ(cloud().Execution(process)["status"], "SUCCEEDED")
      << "the failure was handled";
}

TEST_F(WorkflowTest, SucceedsOnceTheModelAnswersAgain) {
  const std::string goal = cloud().NewGoal(User());
  // Each attempt of the worker asks four times.
  cloud().model().Set({.kind = Fault::Kind::kUnavailable}, 8);
  const std::string process =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  RunFor(absl::Seconds(3) - absl::Milliseconds(1));
  EXPECT_EQ(StatusOf(process), "PROCESSING");
  RunFor(absl::Milliseconds(1));
  EXPECT_EQ(StatusOf(process), "COMPLETED");
  EXPECT_THAT(cloud().TimesOf(process, "TaskFailed"),
              ElementsAre(absl::Seconds(0), absl::Seconds(1)));
}

TEST_F(WorkflowTest, ComplainsToAModelThatAnswersGarbage) {
  const auto generate = [&] {
    const std::string process = cloud().Start(
        User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
    RunFor(absl::Minutes(1));
    return cloud().Show(User(), process);
  };
  cloud().model().Set({.kind = Fault::Kind::kGarbage}, 2);
  EXPECT_EQ(generate()["status"], "COMPLETED");
  cloud().model().Set({.kind = Fault::Kind::kGarbage}, 3);
  const Json::Value data = generate();
  EXPECT_EQ(data["status"], "FAILED");
  EXPECT_EQ(data["error"]["code"], "AI_RESPONSE_INVALID");
}

TEST_F(WorkflowTest, SaysWhyTheModelFailed) {
  cloud().model().Set({.kind = Fault::Kind::kError});
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(1));
  EXPECT_EQ(cloud().Show(User(), process)["error"]["code"], "AI_ERROR");
}

TEST_F(WorkflowTest, OutlastsADatabaseThatIsGoneForAMinute) {
  LoseDatabaseAt("states", "SendTaskSuccess");
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(1));
  cloud().SetDatabaseFails(false);
  EXPECT_EQ(StatusOf(process), "PROCESSING");
  RunFor(absl::Minutes(1));
  EXPECT_EQ(StatusOf(process), "COMPLETED");
}

TEST_F(WorkflowTest, FailsIfTheDatabaseIsGoneForTheWorker) {
  // The worker's first heartbeat comes before it saves anything.
  LoseDatabaseAt("states", "SendTaskHeartbeat");
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(1));
  cloud().SetDatabaseFails(false);
  RunFor(absl::Minutes(2));
  const Json::Value data = cloud().Show(User(), process);
  EXPECT_EQ(data["status"], "FAILED");
  EXPECT_EQ(data["error"]["code"], "DATABASE_ERROR");
}

TEST_F(WorkflowTest, CancelsWhatHasNotBegun) {
  // From then on, nothing can become PROCESSING.
  LoseDatabaseAt("states", "StartExecution");
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  clock().AwaitIdle();
  cloud().SetDatabaseFails(false);
  EXPECT_EQ(StatusOf(process), "PENDING");
  CancelAndExpectItToLast(process);
}

TEST_F(WorkflowTest, CancelsWhileTheModelIsAsked) {
  const std::string goal = cloud().NewGoal(User());
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(20)});
  const std::string process =
      cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  RunFor(absl::Seconds(50));
  EXPECT_EQ(cloud().Show(User(), process)["progress"], 25);
  CancelAndExpectItToLast(process);
}

TEST_F(WorkflowTest, CancelsBetweenAttempts) {
  cloud().model().Set({.kind = Fault::Kind::kThrottling});
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Seconds(2));
  EXPECT_EQ(StatusOf(process), "PROCESSING");
  CancelAndExpectItToLast(process);
}

TEST_F(WorkflowTest, CancelsWhatTheWorkerHasFinished) {
  LoseDatabaseAt("states", "SendTaskSuccess");
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  clock().AwaitIdle();
  cloud().SetDatabaseFails(false);
  EXPECT_EQ(StatusOf(process), "PROCESSING");
  CancelAndExpectItToLast(process);
}

TEST_F(WorkflowTest, DoesNotCancelWhatIsOver) {
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  clock().AwaitIdle();
  const Reply reply = cloud().Call(
      User(), "POST", absl::StrCat("/api/ai/async/cancel/", process));
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(reply.body["error"]["code"], "CANCEL_NOT_ALLOWED");
  EXPECT_EQ(StatusOf(process), "COMPLETED");
}

TEST_F(WorkflowTest, ClosesTheProcessOfAnExecutionThatAnOperatorStops) {
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(20)});
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Seconds(10));
  Json::Value input(Json::objectValue);
  input["executionArn"] = cloud().Execution(process)["executionArn"];
  cloud().Aws("states", "AWSStepFunctions.StopExecution", input);
  RunFor(absl::Minutes(1));
  EXPECT_EQ(StatusOf(process), "CANCELLED");
}

TEST_F(WorkflowTest, ClosesTheProcessOfAnExecutionThatFailed) {
  // The workflow can neither begin the process nor say that it failed.
  LoseDatabaseAt("states", "StartExecution");
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(6));
  EXPECT_EQ(cloud().Execution(process)["status"], "FAILED");
  cloud().SetDatabaseFails(false);
  EXPECT_EQ(StatusOf(process), "PENDING");
  // The event of the failure is handled by the next attempt.
  RunFor(absl::Minutes(5));
  EXPECT_EQ(StatusOf(process), "FAILED");
}

TEST_F(WorkflowTest, StartsAPendingProcessWhenItsStatusIsAsked) {
  const std::string process = LeaveWithoutExecution();
  EXPECT_EQ(StatusOf(process), "PENDING");
  clock().AwaitIdle();
  EXPECT_EQ(StatusOf(process), "COMPLETED");
  EXPECT_EQ(cloud().Execution(process)["status"], "SUCCEEDED");
}

TEST_F(WorkflowTest, StartsAPendingProcessThatNobodyAsksAbout) {
  const std::string process = LeaveWithoutExecution();
  RunFor(generation::kSweepInterval);
  EXPECT_EQ(StatusOf(process), "COMPLETED");
  EXPECT_EQ(cloud().Execution(process)["status"], "SUCCEEDED");
}

TEST_F(WorkflowTest, ClosesTheProcessOfAnExecutionThatTimesOutAsAWhole) {
  const std::string goal = cloud().NewGoal(User());
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(40)});
  // All workers are busy for more than five minutes: the last process has less
  // than five left.
  std::vector<std::string> processes;
  for (int i = 0; i < generation::kWorkerConcurrency + 1; ++i) {
    processes.push_back(
        cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal)));
  }
  RunFor(absl::Minutes(10) - absl::Milliseconds(1));
  std::vector<std::string> late;
  for (const std::string& process : processes) {
    if (StatusOf(process) == "PROCESSING") late.push_back(process);
  }
  ASSERT_THAT(late, SizeIs(1)) << "all others have timed out by themselves";
  RunFor(absl::Milliseconds(1));
  EXPECT_EQ(cloud().Execution(late[0])["status"], "TIMED_OUT");
  EXPECT_EQ(StatusOf(late[0]), "TIMEOUT");
  EXPECT_EQ(cloud().Show(User(), late[0])["error"]["code"], "TIMEOUT_ERROR");
}

TEST_F(WorkflowTest, RetriesThreeTimesWithTheSameInput) {
  cloud().model().Set({.kind = Fault::Kind::kError});
  const std::string first = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(1));
  std::string last = first;
  for (int i = 1; i <= generation::kMaxRetries; ++i) {
    EXPECT_EQ(StatusOf(last), "FAILED");
    // Before the retry, which begins at once.
    if (i == generation::kMaxRetries) cloud().model().Clear();
    const Json::Value data = cloud().Retry(User(), last);
    EXPECT_EQ(data["retryCount"], i);
    EXPECT_EQ(data["status"], "PENDING");
    last = data["processId"].asString();
    RunFor(absl::Minutes(1));
  }
  EXPECT_EQ(StatusOf(last), "COMPLETED");
  // What is over well is not retried, and the series has used up its retries.
  Reply reply =
      cloud().Call(User(), "POST", absl::StrCat("/api/ai/async/retry/", last));
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(reply.body["error"]["code"], "RETRY_NOT_ALLOWED");
  reply =
      cloud().Call(User(), "POST", absl::StrCat("/api/ai/async/retry/", first));
  EXPECT_EQ(reply.status, 409);
  EXPECT_EQ(reply.body["error"]["code"], "MAX_RETRY_EXCEEDED");
  EXPECT_EQ(cloud()
                .Query(absl::StrCat("SELECT DISTINCT params FROM "
                                    "processing_states WHERE origin_id = '",
                                    first, "'"))
                .size(),
            1u);
}

TEST_F(WorkflowTest, WorksThrough50AtOnceWith10Workers) {
  cloud().model().Set({.kind = Fault::Kind::kSlow, .delay = absl::Seconds(5)});
  std::vector<std::pair<std::string, std::string>> processes;
  for (int i = 0; i < 50; ++i) {
    const std::string user = absl::StrCat(User(), i % 5);
    processes.emplace_back(
        user, cloud().Start(user, kSubGoals,
                            GenerationCloud::GoalParams(random::NewUuid())));
  }
  clock().AwaitIdle();
  EXPECT_EQ(cloud().Query("SELECT count(*) FROM processing_states "
                          "WHERE status = 'PROCESSING'")[0][0],
            "50");
  RunFor(absl::Minutes(10));
  int throttled = 0;
  for (const auto& [user, process] : processes) {
    EXPECT_EQ(cloud().Show(user, process)["status"], "COMPLETED");
    for (const Json::Value& event : cloud().Events(process)) {
      if (event["taskSubmitFailedEventDetails"]["error"] ==
          "Lambda.TooManyRequestsException") {
        ++throttled;
      }
    }
  }
  EXPECT_GE(throttled, 40) << "those that found no worker free";
}

// What the logs have after all of this, and what they don't.
TEST_F(WorkflowTest, WritesNoPromptTokenOrSecretIntoLogs) {
  const std::string goal = cloud().NewGoal(User());
  cloud().Start(User(), kActions, GenerationCloud::GoalOf(goal));
  clock().AwaitIdle();
  std::vector<std::string> secrets = {
      cloud().Token(User()), "英語で旅行する", "中学英語は覚えている",
      "平日は30分まで",
      cloud().Query(absl::StrCat(
          "SELECT title FROM sub_goals WHERE goal_id = '", goal, "'"))[0][0]};
  const Json::Value list = cloud().Aws(
      "secretsmanager", "secretsmanager.ListSecrets", Json::objectValue);
  EXPECT_EQ(list["SecretList"].size(), 3u);
  for (const Json::Value& secret : list["SecretList"]) {
    Json::Value input(Json::objectValue);
    input["SecretId"] = secret["ARN"];
    const Json::Value value =
        cloud().Aws("secretsmanager", "secretsmanager.GetSecretValue", input);
    secrets.push_back(json::ParseValue(value["SecretString"].asString())
                          .value()["password"]
                          .asString());
  }
  const std::vector<std::string> lines = cloud().LogLines();
  EXPECT_GT(lines.size(), 100u);
  for (const std::string& secret : secrets) {
    ASSERT_GE(secret.size(), 10u);
    for (const std::string& line : lines) {
      EXPECT_EQ(line.find(secret), std::string::npos) << line;
    }
  }
}

TEST_F(WorkflowTest, EmitsTheMetricsOfTheDesign) {
  cloud().NewGoal(User());
  cloud().model().Set({.kind = Fault::Kind::kError});
  cloud().Start(User(), kSubGoals,
                GenerationCloud::GoalParams(random::NewUuid()));
  RunFor(absl::Minutes(1));
  std::map<std::string, double> sums;
  for (const std::string& line : cloud().LogLines()) {
    const auto json = json::ParseValue(line);
    if (!json.ok() || !json->isObject() || !json->isMember("_aws")) continue;
    const Json::Value& directive = (*json)["_aws"]["CloudWatchMetrics"][0];
    EXPECT_EQ(directive["Namespace"], generation::kMetricsNamespace);
    for (const Json::Value& metric : directive["Metrics"]) {
      const std::string name = metric["Name"].asString();
      sums[name] += (*json)[name].asDouble();
    }
  }
  EXPECT_GE(sums[generation::kStartedMetric], 2);
  EXPECT_GE(sums[generation::kCompletedMetric], 1);
  EXPECT_GE(sums[generation::kFailedMetric], 1);
  EXPECT_TRUE(sums.contains(generation::kTimeoutMetric));
  EXPECT_GT(sums[generation::kDurationMetric], 0);
  EXPECT_TRUE(sums.contains(generation::kQueueDepthMetric));
}

TEST_F(WorkflowTest, RemovesOldProcesses) {
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  clock().AwaitIdle();
  cloud().Query(
      absl::StrCat("UPDATE processing_states SET created_at = created_at - "
                   "interval '91 days' WHERE id = '",
                   process, "' RETURNING id"));
  RunFor(generation::kSweepInterval);
  EXPECT_EQ(
      cloud()
          .Call(User(), "GET", absl::StrCat("/api/ai/async/status/", process))
          .status,
      403);
}

}  // namespace
}  // namespace byoshin::e2e
