// `byoshin executions`, against answers of a made-up cloud.

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/command.h"
#include "local/cli/testing_commands.h"

namespace byoshin::local::cli {
namespace {

using ::testing::HasSubstr;

constexpr char kMachines[] = R"({"now": 1764671060000, "stepfunctions":
  {"machines": [{"arn": "arn:aws:states:us-east-1:0:stateMachine:orders",
                 "name": "orders"},
                {"arn": "arn:aws:states:us-east-1:0:stateMachine:reports",
                 "name": "reports"}]}})";
constexpr char kList[] = R"({"executions": [
  {"arn": "a", "name": "late", "status": "RUNNING", "start": 1764671000000,
   "stop": null},
  {"arn": "b", "name": "early", "status": "FAILED", "start": 1764670000000,
   "stop": 1764670002100}], "next": null})";
constexpr char kNone[] = R"({"executions": [], "next": null})";
constexpr char kExecution[] = R"({"execution": {"arn": "a", "name": "order-17",
   "machineName": "orders", "status": "FAILED", "start": 1764671000000,
   "stop": 1764671003000, "input": "{\"x\":\u001b1}", "error": "Oops"},
  "definition": "{}", "mapRuns": [], "next": 2, "total": 3, "events": [
   {"id": 1, "previous": 0, "t": 1764671000000, "type": "ExecutionStarted"},
   {"id": 2, "previous": 1, "t": 1764671000000, "type": "TaskStateEntered",
    "name": "Charge"}]})";
constexpr char kRest[] = R"({"execution": {}, "mapRuns": [], "next": 3,
  "total": 3, "events": [{"id": 3, "previous": 2, "t": 1764671003000,
   "type": "TaskFailed", "error": "Oops", "cause": "no money"}]})";

class ExecutionsCommandTest : public CommandTest {
 protected:
  int Run(std::vector<std::string> words) {
    words.insert(words.begin(), "executions");
    return CommandTest::Run({ExecutionsCommand()}, words);
  }
};

TEST_F(ExecutionsCommandTest, PrintsThoseOfEachMachine) {
  Answer(kMachines);
  Answer(kList);
  Answer(kNone);
  EXPECT_EQ(Run({}), 0) << terminal_.noted;
  EXPECT_EQ(terminal_.printed,
            "STATE MACHINE  EXECUTION  STATUS   STARTED                TOOK\n"
            "orders         late       RUNNING  2025-12-02T10:23:20Z  1 min\n"
            "orders         early      FAILED   2025-12-02T10:06:40Z  2.1 s\n");
  EXPECT_THAT(Url(2), HasSubstr("reports"));
}

TEST_F(ExecutionsCommandTest, AsksForAMachineAndForStatuses) {
  Answer(kMachines);
  Answer(kNone);
  EXPECT_EQ(Run({"rep", "--failed", "-n", "3"}), 0) << terminal_.noted;
  EXPECT_THAT(Url(1), HasSubstr("stateMachine%3Areports"));
  EXPECT_THAT(Url(1), HasSubstr("limit=3"));
  EXPECT_THAT(Url(1), HasSubstr("status=FAILED%2CTIMED_OUT%2CABORTED"));
  Answer(kMachines);
  Answer(kNone);
  EXPECT_EQ(Run({"orders", "--status=running"}), 0) << terminal_.noted;
  EXPECT_THAT(Url(3), HasSubstr("status=RUNNING"));
}

TEST_F(ExecutionsCommandTest, SaysWhatIsWrong) {
  Answer(kMachines);
  EXPECT_EQ(Run({"nothing"}), 1);
  EXPECT_EQ(terminal_.noted,
            "byoshin executions: there is no state machine \"nothing\"; there "
            "are: orders, reports\n");
  terminal_.noted.clear();
  Answer(kMachines);
  EXPECT_EQ(Run({"r"}), 1);
  EXPECT_THAT(terminal_.noted, HasSubstr("several state machines"));
  terminal_.noted.clear();
  Answer(R"({"now": 1})");
  EXPECT_EQ(Run({}), 1);
  EXPECT_THAT(terminal_.noted, HasSubstr("no state machine in this cloud"));
  terminal_.noted.clear();
  Answer(kMachines);
  EXPECT_NE(Run({"orders", "--failed", "--status=running"}), 0);
  EXPECT_THAT(terminal_.noted, HasSubstr("not both"));
}

TEST_F(ExecutionsCommandTest, PrintsOneWithItsEvents) {
  Answer(kMachines);
  Answer(kExecution);
  Answer(kRest);
  EXPECT_EQ(Run({"orders", "--name=order-17"}), 0) << terminal_.noted;
  EXPECT_THAT(Url(1), HasSubstr("execution%3Aorders%3Aorder-17"));
  EXPECT_THAT(Url(2), HasSubstr("after=2"));
  EXPECT_EQ(terminal_.printed,
            "execution  order-17\n"
            "machine    orders\n"
            "status     FAILED\n"
            "started    2025-12-02T10:23:20Z\n"
            "took       3 s\n"
            "input      {\"x\":\\x1b1}\n"
            "error      Oops\n"
            "\n"
            "#  TIME                  EVENT             STATE   ERROR\n"
            "1  2025-12-02T10:23:20Z  ExecutionStarted\n"
            "2  2025-12-02T10:23:20Z  TaskStateEntered  Charge\n"
            "3  2025-12-02T10:23:23Z  TaskFailed        Charge  Oops: no "
            "money\n");
}

TEST_F(ExecutionsCommandTest, LooksForANameInAllMachines) {
  Answer(kMachines);
  http_.Answer({.status = 404, .body = R"({"error":"there is no execution"})"});
  Answer(kExecution);
  Answer(kRest);
  EXPECT_EQ(Run({"--name=order-17"}), 0) << terminal_.noted;
  EXPECT_THAT(Url(2), HasSubstr("execution%3Areports%3Aorder-17"));
}

TEST_F(ExecutionsCommandTest, PrintsJsonForScripts) {
  Answer(kMachines);
  Answer(kList);
  EXPECT_EQ(Run({"orders", "--json"}), 0) << terminal_.noted;
  const Json::Value list = *json::ParseValue(terminal_.printed);
  EXPECT_EQ(list["executions"][0]["machine"], "orders");
  EXPECT_EQ(list["executions"][1]["status"], "FAILED");
  terminal_.printed.clear();
  Answer(kMachines);
  Answer(kExecution);
  Answer(kRest);
  EXPECT_EQ(Run({"orders", "--name=order-17", "--json"}), 0);
  EXPECT_EQ((*json::ParseValue(terminal_.printed))["events"].size(), 3u);
}

}  // namespace
}  // namespace byoshin::local::cli
