// An hour of asynchronous generation while the model is throttled and talks
// nonsense, the database is gone for a minute, and functions are killed. In the
// end every process has a final state, and it is true.
#include "local/bedrock/faults.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "tests/e2e/generation/generation_cloud.h"

namespace byoshin::e2e {
namespace {

using local::bedrock::Fault;
using ::testing::AnyOf;
using ::testing::IsEmpty;

constexpr int kMinutes = 60;
constexpr int kMinuteWithoutDatabase = 20;
// One of so many executions of a function is killed.
constexpr int kKilledOneIn = 17;
// Users with goals. The rate of each is limited, by the functions' clock.
constexpr int kOwners = 8;

struct Started {
  std::string user;
  std::string type;
  std::string process;
};

// What the model does in a minute. Not random: a failure can be repeated.
Fault FaultOf(int minute) {
  switch (minute % 6) {
    case 1:
      return {.kind = Fault::Kind::kThrottling};
    case 2:
      return {.kind = Fault::Kind::kGarbage};
    case 3:
      return {.kind = Fault::Kind::kSlow, .delay = absl::Seconds(25)};
    case 5:
      return {.kind = minute % 12 == 5 ? Fault::Kind::kUnavailable
                                       : Fault::Kind::kHanging};
    default:
      return {};
  }
}

class FaultsTest : public ::testing::Test {
 protected:
  // Starts a process, unless the fault of the minute hits the API itself.
  void TryStart(const std::string& user, const std::string& type,
                const Json::Value& params) {
    Json::Value body(Json::objectValue);
    body["type"] = type;
    body["params"] = params;
    const Reply reply = cloud_.Call(user, "POST", generation::kGeneratePath,
                                    json::WriteValue(body));
    EXPECT_THAT(reply.status, AnyOf(202, 400, 500, 503))
        << json::WriteValue(reply.body);
    if (reply.status != 202) return;
    started_.push_back(
        {user, type, reply.body["data"]["processId"].asString()});
  }

  void RunAMinute(int minute) {
    const std::string user = absl::StrCat("user-", minute);
    cloud_.model().Set(FaultOf(minute));
    cloud_.SetDatabaseFails(minute == kMinuteWithoutDatabase);
    TryStart(user, kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
    const int owner = minute % kOwners;
    TryStart(absl::StrCat("owner-", owner), kActions,
             GenerationCloud::GoalOf(goals_[owner]));
    clock_.RunUntil(clock_.Now() + absl::Seconds(7));
    // While the model is slow.
    if (minute % 6 == 3 && !started_.empty()) {
      const Started& last = started_.back();
      const Reply reply =
          cloud_.Call(last.user, "POST",
                      absl::StrCat("/api/ai/async/cancel/", last.process));
      cancelled_[last.process] = reply.status == 200;
    }
    clock_.RunUntil(clock_.Now() + absl::Seconds(53));
  }

  // The functions have the machine's clock: what the API could not start before
  // it was killed is made as old as a sweep expects it.
  void LetASweepSeeWhatIsPending() {
    cloud_.Query(absl::StrCat(
        "UPDATE processing_states SET created_at = created_at - interval '",
        absl::ToInt64Seconds(generation::kUnstartedAfter) + 1,
        " seconds' WHERE status = 'PENDING' RETURNING id"));
    clock_.RunUntil(clock_.Now() + generation::kSweepInterval);
    clock_.RunUntil(clock_.Now() + generation::kWorkflowTimeout);
  }

  // The state is what the execution says, and has what belongs to it.
  void ExpectTruth(const std::string& user, const std::string& process) {
    // The API takes so many requests a second.
    clock_.RunUntil(clock_.Now() + absl::Seconds(1));
    const Json::Value data = cloud_.Show(user, process);
    const std::string status = data["status"].asString();
    ASSERT_TRUE(IsOver(status)) << status;
    EXPECT_TRUE(data.isMember("completedAt"));
    EXPECT_EQ(data.isMember("result"), status == "COMPLETED");
    EXPECT_EQ(data.isMember("error"),
              status == "FAILED" || status == "TIMEOUT");
    if (status == "COMPLETED") {
      EXPECT_EQ(data["progress"], 100);
      EXPECT_EQ(data["result"]["subGoals"].size(), 8u);
    }
    const auto asked = cancelled_.find(process);
    if (status == "CANCELLED") {
      EXPECT_NE(asked, cancelled_.end());
    }
    if (asked != cancelled_.end() && asked->second) {
      EXPECT_EQ(status, "CANCELLED");
    }
    const Json::Value execution = cloud_.Execution(process);
    const std::string outcome = execution["status"].asString();
    EXPECT_NE(outcome, "RUNNING");
    if (outcome == "SUCCEEDED") {
      EXPECT_EQ(
          json::ParseValue(execution["output"].asString()).value()["status"],
          status);
    } else if (outcome == "TIMED_OUT") {
      // Cancelled, if the function was killed before it stopped the execution.
      EXPECT_THAT(status, AnyOf("TIMEOUT", "CANCELLED"));
    } else if (outcome == "ABORTED") {
      EXPECT_EQ(status, "CANCELLED");
    } else {
      EXPECT_THAT(status, AnyOf("FAILED", "CANCELLED"));
    }
    ++outcomes_[status];
  }

  time::SimulatedClock clock_{kStart};
  std::atomic<bool> kills_ = false;
  std::atomic<int> executions_ = 0;
  GenerationCloud cloud_{clock_, {.crash = [this] {
                           return kills_ && ++executions_ % kKilledOneIn == 0;
                         }}};
  std::vector<std::string> goals_;
  std::vector<Started> started_;
  // What was to be cancelled, and whether the answer says that it was: the
  // function may have been killed before it could answer.
  std::map<std::string, bool> cancelled_;
  std::map<std::string, int> outcomes_;
};

// **Feature: async-generation, Property 8: The state in the database and the
// execution's outcome agree in the end**
TEST_F(FaultsTest, EveryProcessHasATrueFinalStateAfterAnHour) {
  for (int i = 0; i < kOwners; ++i) {
    goals_.push_back(cloud_.NewGoal(absl::StrCat("owner-", i)));
  }
  kills_ = true;
  for (int minute = 0; minute < kMinutes; ++minute) RunAMinute(minute);
  kills_ = false;
  cloud_.SetDatabaseFails(false);
  cloud_.model().Clear();
  clock_.RunUntil(clock_.Now() + absl::Minutes(20));
  LetASweepSeeWhatIsPending();

  EXPECT_THAT(cloud_.Query("SELECT id, status FROM processing_states WHERE "
                           "status IN ('PENDING', 'PROCESSING')"),
              IsEmpty());
  for (const Started& one : started_) {
    SCOPED_TRACE(absl::StrCat(one.type, " ", one.process));
    ExpectTruth(one.user, one.process);
  }
  for (const char* status : {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED"}) {
    EXPECT_GT(outcomes_[status], 0) << status;
  }
  EXPECT_THAT(cloud_.denials(), IsEmpty());
}

}  // namespace
}  // namespace byoshin::e2e
