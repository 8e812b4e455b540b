// What EventBridge learns about executions.

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/status_change.h"
#include "local/stepfunctions/testing/states_fixture.h"

namespace byoshin::local::stepfunctions {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kWait[] = R"({"Type":"Wait","Seconds":60,"End":true})";

class StatusChangesTest : public StatesFixture {
 protected:
  std::vector<StatusChange> Changes() {
    Settle();
    const sync::MutexLock lock(changes_mutex_);
    return changes_;
  }
  std::vector<std::string> Statuses() {
    std::vector<std::string> statuses;
    for (const StatusChange& change : Changes()) {
      statuses.push_back(
          (*json::ParseValue(change.detail))["status"].asString());
    }
    return statuses;
  }
  void Want(bool wanted) {
    const sync::MutexLock lock(changes_mutex_);
    changes_wanted_ = wanted;
  }
  void Store(bool stored) {
    const sync::MutexLock lock(changes_mutex_);
    changes_stored_ = stored;
  }
};

TEST_F(StatusChangesTest, AreSentAtTheStartAndAtTheEnd) {
  const std::string machine = Create("m", OneState(kWait));
  const std::string arn = Start(machine, R"({"x":1})", "n");
  EXPECT_THAT(Statuses(), ElementsAre("RUNNING"));
  RunFor(absl::Seconds(60));
  ASSERT_THAT(Statuses(), ElementsAre("RUNNING", "SUCCEEDED"));

  const StatusChange change = Changes()[1];
  EXPECT_EQ(change.execution_arn, arn);
  EXPECT_EQ(change.region, "us-east-1");
  EXPECT_EQ(change.account_id, "000000000000");
  EXPECT_EQ(change.time, clock_.Now());
  EXPECT_EQ(
      change.detail,
      absl::StrCat(
          R"({"cause":null,"error":null,"executionArn":")", arn,
          R"(","input":"{\"x\":1}","inputDetails":{"included":true},)",
          R"("name":"n","output":"{\"x\":1}",)",
          R"("outputDetails":{"included":true},"redriveCount":0,)",
          R"("redriveDate":null,"redriveStatus":"NOT_REDRIVABLE",)",
          R"("redriveStatusReason":"Execution is SUCCEEDED and cannot be )",
          R"(redriven","startDate":1794902400000,"stateMachineAliasArn":null,)",
          R"("stateMachineArn":")", machine,
          R"(","stateMachineVersionArn":null,"status":"SUCCEEDED",)",
          R"("stopDate":1794902460000})"));
  const Json::Value running = *json::ParseValue(Changes()[0].detail);
  EXPECT_TRUE(running["stopDate"].isNull());
  EXPECT_TRUE(running["output"].isNull());
  EXPECT_TRUE(running["outputDetails"].isNull());
}

TEST_F(StatusChangesTest, AreSentForEveryKindOfEnd) {
  Start(Create("pass", OneState(R"({"Type":"Pass","End":true})")), "{}");
  EXPECT_THAT(Statuses(), ElementsAre("RUNNING", "SUCCEEDED"));
  Start(Create("fail", OneState(R"({"Type":"Fail","Error":"E","Cause":"C"})")),
        "{}");
  ASSERT_THAT(Changes(), SizeIs(4));
  const Json::Value failed = *json::ParseValue(Changes()[3].detail);
  EXPECT_EQ(failed["status"], "FAILED");
  EXPECT_EQ(failed["error"], "E");
  EXPECT_EQ(failed["cause"], "C");

  const std::string stopped = Start(Create("wait", OneState(kWait)), "{}");
  Ask("StopExecution", absl::StrCat(R"({"executionArn":")", stopped, R"("})"));
  EXPECT_EQ(Statuses().back(), "ABORTED");
  Start(
      Create("slow",
             absl::StrCat(R"({"TimeoutSeconds":5,"StartAt":"S","States":{"S":)",
                          kWait, "}}")),
      "{}");
  RunFor(absl::Seconds(5));
  EXPECT_EQ(Statuses().back(), "TIMED_OUT");
}

TEST_F(StatusChangesTest, AreNotSentForExpressExecutions) {
  Start(Create("m", OneState(R"({"Type":"Pass","End":true})"),
               R"(,"type":"EXPRESS")"),
        "{}");
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(StatusChangesTest, AreNotSentIfNobodyWantsThem) {
  Want(false);
  Start(Create("m", OneState(R"({"Type":"Pass","End":true})")), "{}");
  EXPECT_THAT(Changes(), IsEmpty());
}

TEST_F(StatusChangesTest, AreSentAgainAfterACrashUnlessTheyWereStored) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","End":true})"));
  Store(false);
  Start(machine, "{}", "a");
  EXPECT_THAT(Statuses(), ElementsAre("RUNNING", "SUCCEEDED"));
  Store(true);
  Open();
  EXPECT_THAT(Statuses(),
              ElementsAre("RUNNING", "SUCCEEDED", "RUNNING", "SUCCEEDED"));
  Open();
  EXPECT_THAT(Changes(), SizeIs(4));
}

TEST(StatusChangeOf, LeavesOutDataThatAreTooLong) {
  kept::Execution execution;
  execution.set_status(kept::SUCCEEDED);
  execution.set_input(std::string(200 * 1024, 'x'));
  execution.set_output(std::string(100 * 1024, 'y'));
  Json::Value detail = *json::ParseValue(StatusChangeOf(execution).detail);
  EXPECT_FALSE(detail["inputDetails"]["included"].asBool());
  EXPECT_TRUE(detail["input"].isNull());
  EXPECT_TRUE(detail["outputDetails"]["included"].asBool());
  execution.set_output(std::string(250 * 1024, 'y'));
  detail = *json::ParseValue(StatusChangeOf(execution).detail);
  EXPECT_TRUE(detail["inputDetails"]["included"].asBool());
  EXPECT_FALSE(detail["outputDetails"]["included"].asBool());
  EXPECT_TRUE(detail["output"].isNull());
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
