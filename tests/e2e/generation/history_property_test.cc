// Random histories of asynchronous generation on the deployed stack: processes
// are started, cancelled and retried while the model, the database and the
// functions fail. In the end every process has a final state, and it is true.
//
// A failure prints the history, and the RC_PARAMS that repeat it.
#include <gtest/gtest.h>
#include <json/json.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "core/time/simulated_clock.h"
#include "local/bedrock/faults.h"
#include "rapidcheck.h"
#include "tests/e2e/generation/generation_cloud.h"

namespace byoshin::e2e {
namespace {

using local::bedrock::Fault;

// Unless RC_PARAMS says otherwise: histories that take some seconds. Shrinking
// would take longer than the test may.
constexpr char kDefaultParams[] = "max_success=12 noshrink=1";
constexpr int kMinSteps = 5;
constexpr int kMaxSteps = 20;
constexpr int kFewSeconds = 5;
constexpr int kMaxSecondsOfStep = 240;
// Cancelled and retried are the last ones: older ones are mostly over.
constexpr std::size_t kRecent = 2;
// Longer than the workflow's ten minutes and the tries of the rule after it.
constexpr absl::Duration kAftermath = absl::Minutes(30);

enum Operation {
  kStartSubGoals,
  kStartActions,
  kStartTasks,
  kCancel,
  kRetry,
  kModel,
  kDatabase,
  kKill,
};

// An operation, which process or fault it is about, and the seconds after it.
struct Step {
  int operation;
  int choice;
  int seconds;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  static constexpr const char* kNames[] = {"sub-goals", "actions", "tasks",
                                           "cancel",    "retry",   "model",
                                           "database",  "kill"};
  return out << kNames[step.operation] << ' ' << step.choice << ", "
             << step.seconds << " s";
}

rc::Gen<Step> AnyStep() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::weightedElement<int>({{5, kStartSubGoals},
                                                    {2, kStartActions},
                                                    {1, kStartTasks},
                                                    {5, kCancel},
                                                    {2, kRetry},
                                                    {4, kModel},
                                                    {2, kDatabase},
                                                    {2, kKill}}),
                     rc::gen::inRange(0, 1000),
                     rc::gen::oneOf(rc::gen::inRange(0, kFewSeconds),
                                    rc::gen::inRange(0, kFewSeconds),
                                    rc::gen::inRange(0, kMaxSecondsOfStep))),
      [](const std::tuple<int, int, int>& parts) {
        return Step{std::get<0>(parts), std::get<1>(parts), std::get<2>(parts)};
      });
}

// Of full size from the first: there are too few to begin with small ones.
rc::Gen<std::vector<Step>> AnyHistory() {
  return rc::gen::resize(
      rc::kNominalSize,
      rc::gen::mapcat(rc::gen::inRange<std::size_t>(kMinSteps, kMaxSteps + 1),
                      [](std::size_t size) {
                        return rc::gen::container<std::vector<Step>>(size,
                                                                     AnyStep());
                      }));
}

Fault FaultOfChoice(int choice) {
  switch (choice % 8) {
    case 0:
      return {.kind = Fault::Kind::kThrottling};
    case 1:
      return {.kind = Fault::Kind::kGarbage};
    case 2:
      return {.kind = Fault::Kind::kSlow,
              .delay = absl::Seconds(1 + choice % 50)};
    case 3:
    case 4:
      return {.kind = Fault::Kind::kHanging};
    default:
      return {};
  }
}

struct Row {
  std::string status;
  std::string progress;
  // Everything that the row has.
  std::string all;
  bool operator==(const Row&) const = default;
};
using Rows = std::map<std::string, Row>;

bool IsOpen(const Row& row) { return !IsOver(row.status); }

class HistoryTest : public ::testing::Test {
 protected:
  void Pass(absl::Duration duration) {
    clock_.RunUntil(clock_.Now() + duration);
  }

  Rows Processes() {
    Rows rows;
    for (const std::vector<std::string>& row :
         cloud_.Query("SELECT id::text, status::text, progress::text, "
                      "md5(processing_states::text) FROM processing_states")) {
      rows[row[0]] = {row[1], row[2], row[3]};
    }
    return rows;
  }

  // By the names of the executions, which are the processes' ids.
  std::map<std::string, std::string> Outcomes() {
    std::map<std::string, std::string> outcomes;
    Json::Value input(Json::objectValue);
    input["stateMachineArn"] =
        cloud_.Output(generation::kStateMachineArnOutput);
    input["maxResults"] = 1000;
    while (true) {
      const Json::Value page =
          cloud_.Aws("states", "AWSStepFunctions.ListExecutions", input);
      for (const Json::Value& one : page["executions"]) {
        outcomes[one["name"].asString()] = one["status"].asString();
      }
      if (!page.isMember("nextToken")) return outcomes;
      input["nextToken"] = page["nextToken"];
    }
  }

  // A process is known to its user if the answer got through.
  void Start(const std::string& type, const Json::Value& params) {
    Json::Value body(Json::objectValue);
    body["type"] = type;
    body["params"] = params;
    Remember(cloud_.Call(user_, "POST", generation::kGeneratePath,
                         json::WriteValue(body)));
  }

  void Remember(const Reply& reply) {
    if (reply.status != 202) return;
    accepted_.push_back(reply.body["data"]["processId"].asString());
  }

  void Cancel(const std::string& process) {
    const Reply reply = cloud_.Call(
        user_, "POST", absl::StrCat("/api/ai/async/cancel/", process));
    bool& confirmed = cancelled_[process];
    confirmed = confirmed || reply.status == 200;
  }

  void Do(const Step& step) {
    const bool any = !accepted_.empty();
    // Most processes would be over at once if the model were mostly well.
    if (step.operation <= kStartTasks) {
      cloud_.model().Set(FaultOfChoice(step.choice));
    }
    const std::string process =
        any ? accepted_[accepted_.size() - 1 -
                        static_cast<std::size_t>(step.choice) %
                            std::min(accepted_.size(), kRecent)]
            : "";
    switch (step.operation) {
      case kStartSubGoals:
        return Start(kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
      case kStartActions:
        return Start(kActions, GenerationCloud::GoalOf(goal_));
      case kStartTasks:
        return Start(kTasks, GenerationCloud::GoalOf(goal_));
      case kCancel:
        if (any) Cancel(process);
        return;
      case kRetry:
        if (any) {
          Remember(cloud_.Call(user_, "POST",
                               absl::StrCat("/api/ai/async/retry/", process)));
        }
        return;
      case kModel:
        return cloud_.model().Set(FaultOfChoice(step.choice));
      case kDatabase:
        return cloud_.SetDatabaseFails(true);
      default:
        kill_in_ = 1 + step.choice % 4;
    }
  }

  void EndFaults() {
    kill_in_ = 0;
    cloud_.SetDatabaseFails(false);
    cloud_.model().Clear();
  }

  // A new user with a goal that has all its parts.
  void Begin() {
    user_ = absl::StrCat("user-", ++histories_);
    Pass(absl::Seconds(1));
    goal_ = cloud_.NewGoal(user_);
    Start(kActions, GenerationCloud::GoalOf(goal_));
    clock_.AwaitIdle();
    accepted_.clear();
  }

  // The functions have the machine's clock: what has lost its workflow is made
  // as old as an hour makes it.
  void CleanUp() {
    cloud_.Query(
        "UPDATE processing_states SET created_at = created_at - interval '1 "
        "hour' WHERE status IN ('PENDING', 'PROCESSING') RETURNING id");
    cloud_.Invoke(generation::kCleanUpFunction, "{}");
  }

  // The state is what docs/sequences.md says of the execution's outcome; ""
  // if there is no execution.
  void CheckAgreement(const std::string& process, const std::string& status,
                      const std::string& outcome) {
    RC_ASSERT(outcome != "RUNNING");
    if (outcome == "SUCCEEDED") {
      const Json::Value output =
          json::ParseValue(cloud_.Execution(process)["output"].asString())
              .value();
      RC_ASSERT(output["status"].asString() == status);
    } else if (outcome == "TIMED_OUT") {
      RC_ASSERT(status == "TIMEOUT" || status == "CANCELLED");
    } else if (outcome == "ABORTED") {
      RC_ASSERT(status == "CANCELLED");
    } else {
      RC_ASSERT(status == "FAILED" || status == "CANCELLED");
    }
  }

  void CheckProcess(const std::string& process, const Row& before,
                    const Row& after, const std::string& outcome) {
    RC_LOG() << process << ": " << before.status << ", then " << after.status
             << ", execution " << outcome << '\n';
    RC_ASSERT(IsOver(after.status));
    // A worker may also die between its last item and its outcome.
    if (after.status == "COMPLETED") {
      RC_ASSERT(after.progress == absl::StrCat(generation::kCompleteProgress));
    }
    const auto asked = cancelled_.find(process);
    if (after.status == "CANCELLED") RC_ASSERT(asked != cancelled_.end());
    if (asked != cancelled_.end() && asked->second) {
      RC_ASSERT(after.status == "CANCELLED");
    }
    if (IsOpen(before)) {
      // Nobody could close it but the clean-up.
      RC_ASSERT(after.status == "TIMEOUT");
      RC_ASSERT(outcome != "RUNNING" && outcome != "SUCCEEDED");
    } else {
      RC_ASSERT(before == after);
      CheckAgreement(process, after.status, outcome);
    }
    ++ended_[after.status];
  }

  void CheckTruth() {
    const Rows before = Processes();
    CleanUp();
    const Rows after = Processes();
    const std::map<std::string, std::string> outcomes = Outcomes();
    for (const auto& [process, row] : after) {
      const auto outcome = outcomes.find(process);
      const auto known = checked_.find(process);
      if (known != checked_.end()) {
        RC_ASSERT(known->second == row);
        continue;
      }
      CheckProcess(process, before.at(process), row,
                   outcome == outcomes.end() ? "" : outcome->second);
    }
    // Who was told that a process was accepted has one, with an execution.
    for (const std::string& process : accepted_) {
      RC_ASSERT(after.contains(process));
      RC_ASSERT(outcomes.contains(process));
    }
    Pass(kAftermath);
    checked_ = Processes();
    RC_ASSERT(checked_ == after);
  }

  time::SimulatedClock clock_{kStart};
  // The execution of a function that is to be killed: 1 is the next, 0 none.
  std::atomic<int> kill_in_ = 0;
  GenerationCloud cloud_{
      clock_, {.crash = [this] {
        int left = kill_in_;
        while (left > 0 && !kill_in_.compare_exchange_weak(left, left - 1)) {
        }
        return left == 1;
      }}};
  int histories_ = 0;
  std::string user_;
  std::string goal_;
  std::vector<std::string> accepted_;
  // What was to be cancelled, and whether an answer says that it was.
  std::map<std::string, bool> cancelled_;
  std::map<std::string, int> ended_;
  // The processes of earlier histories: they never change again.
  Rows checked_;
};

// **Feature: async-generation, Property 9: For any history of requests and
// faults, the state in the database and the execution's outcome agree in the
// end, and nothing changes afterwards**
TEST_F(HistoryTest, StatesAndExecutionsAgreeInTheEnd) {
  const bool holds = rc::check([this] {
    const std::vector<Step> steps = *AnyHistory();
    Begin();
    for (const Step& step : steps) {
      Pass(absl::Seconds(1));
      Do(step);
      Pass(absl::Seconds(step.seconds));
      cloud_.SetDatabaseFails(false);
    }
    EndFaults();
    Pass(kAftermath);
    CheckTruth();
  });
  ASSERT_TRUE(holds) << "the property does not hold; see above";
  EXPECT_GT(ended_["COMPLETED"], 0);
  for (const auto& [status, count] : ended_) {
    RecordProperty(status, count);
    std::cout << status << ": " << count << '\n';
  }
  EXPECT_TRUE(cloud_.denials().empty());
}

}  // namespace
}  // namespace byoshin::e2e

int main(int argc, char** argv) {
  const char* const given = std::getenv("RC_PARAMS");
  // What stands later counts.
  setenv("RC_PARAMS",
         absl::StrCat(byoshin::e2e::kDefaultParams, " ",
                      given == nullptr ? "" : given)
             .c_str(),
         /*overwrite=*/1);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
