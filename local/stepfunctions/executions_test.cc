// Executions: their beginning, their end, and what comes between.

#include "local/stepfunctions/executions.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/testing/states_fixture.h"

namespace byoshin::local::stepfunctions {
namespace {

using ::testing::ElementsAre;

constexpr char kTask[] =
    R"({"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:f","End":true})";

class ExecutionsTest : public StatesFixture {
 protected:
  static std::string ExecutionBody(const std::string& arn) {
    return absl::StrCat(R"({"executionArn":")", arn, R"("})");
  }
  static std::string TypeOf(const Json::Value& answer) {
    const std::string type = answer["__type"].asString();
    return type.substr(type.find('#') + 1);
  }
  std::size_t TaskCalls() { return tasks_.calls().size(); }
};

TEST_F(ExecutionsTest, RunsPassStatesToTheirEnd) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","Result":{"a":1},"End":true})"));
  const std::string arn = Start(machine, R"({"x":0})", "first");
  EXPECT_EQ(arn, absl::StrCat(kArnPrefix, "execution:m:first"));
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "SUCCEEDED");
  EXPECT_EQ(described["input"], R"({"x":0})");
  EXPECT_EQ(described["output"], R"({"a":1})");
  EXPECT_EQ(described["stateMachineArn"], machine);
  EXPECT_EQ(described["redriveStatus"], "NOT_REDRIVABLE");
  EXPECT_THAT(EventTypes(arn),
              ElementsAre("ExecutionStarted", "PassStateEntered",
                          "PassStateExited", "ExecutionSucceeded"));
}

TEST_F(ExecutionsTest, LimitsInputsByTheirBytes) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","End":true})"));
  const auto start = [&](std::size_t characters) {
    // Each character has two bytes.
    std::string text;
    for (std::size_t i = 0; i < characters; ++i) text += "\u00e9";
    return Ask("StartExecution",
               absl::StrCat(R"({"stateMachineArn":")", machine,
                            R"(","input":"\")", text, R"(\""})"))["message"]
        .asString();
  };
  EXPECT_EQ(start(131071), "");
  EXPECT_EQ(start(131072),
            "1 validation error detected: Value at "
            "'input' failed to satisfy constraint: Member must have length "
            "less than or equal to 262144");
}

TEST_F(ExecutionsTest, WaitsAYearInNoTime) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":31536000,"End":true})"));
  const std::string arn = Start(machine, "{}");
  RunFor(absl::Hours(24 * 365) - absl::Seconds(1));
  EXPECT_EQ(StatusOf(arn), "RUNNING");
  RunFor(absl::Seconds(1));
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "SUCCEEDED");
  EXPECT_EQ(described["stopDate"].asInt64() - described["startDate"].asInt64(),
            31536000);
}

TEST_F(ExecutionsTest, ForgetsAnExecution90DaysAfterItsEnd) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","End":true})"));
  const std::string arn = Start(machine, "{}", "n");
  RunFor(absl::Hours(24 * 90) - absl::Seconds(1));
  EXPECT_EQ(StatusOf(arn), "SUCCEEDED");
  RunFor(absl::Seconds(2));
  EXPECT_EQ(TypeOf(Describe(arn)), "ExecutionDoesNotExist");
  EXPECT_EQ(Start(machine, "{}", "n"), arn);
}

TEST_F(ExecutionsTest, StartsTheSameOnceWhileItRuns) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":60,"End":true})"));
  const std::string arn = Start(machine, R"({"a":1})", "n");
  EXPECT_EQ(Start(machine, R"({"a":1})", "n"), arn);
  const auto start = [&](const char* input) {
    return TypeOf(
        Ask("StartExecution",
            absl::StrCat(R"({"stateMachineArn":")", machine,
                         R"(","name":"n","input":)", QuotedJson(input), "}")));
  };
  EXPECT_EQ(start(R"({"a":2})"), "ExecutionAlreadyExists");
  RunFor(absl::Minutes(1));
  EXPECT_EQ(start(R"({"a":1})"), "ExecutionAlreadyExists");
}

TEST_F(ExecutionsTest, RefusesInputThatIsNotJson) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","End":true})"));
  for (const char* input : {"", "not", "{'a':1}"}) {
    EXPECT_EQ(
        TypeOf(Ask("StartExecution",
                   absl::StrCat(R"({"stateMachineArn":")", machine,
                                R"(","input":)", QuotedJson(input), "}"))),
        "InvalidExecutionInput")
        << input;
  }
  EXPECT_EQ(Describe(Start(machine, "2"))["output"], "2");
}

TEST_F(ExecutionsTest, RunsTasksWithTheRoleAndFailsWithTheirErrors) {
  const std::string machine = Create("m", OneState(kTask));
  const std::string good = Start(machine, R"({"x":1})");
  EXPECT_EQ(Describe(good)["output"], R"({"x":1})");
  ASSERT_EQ(TaskCalls(), 1u);
  EXPECT_EQ(tasks_.calls()[0].role_arn, kRole);
  EXPECT_EQ(tasks_.calls()[0].execution_arn, good);
  tasks_.Answer([](const TaskCall&) {
    return TaskFailure{.error = "Oops", .cause = "because"};
  });
  const Json::Value failed = Describe(Start(machine, "{}"));
  EXPECT_EQ(failed["status"], "FAILED");
  EXPECT_EQ(failed["error"], "Oops");
  EXPECT_EQ(failed["cause"], "because");
  EXPECT_EQ(failed["redriveStatus"], "REDRIVABLE");
}

TEST_F(ExecutionsTest, GoesOnAfterARestartWhereItWas) {
  const std::string machine = Create("m", R"({"StartAt":"A","States":{
      "A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:a","Next":"W"},
      "W":{"Type":"Wait","Seconds":100,"Next":"B"},
      "B":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:b","End":true}}})");
  const std::string arn = Start(machine, R"({"x":1})");
  RunFor(absl::Seconds(60));
  Open();
  EXPECT_EQ(StatusOf(arn), "RUNNING");
  RunFor(absl::Seconds(39));
  // What is recorded as done does not run again.
  EXPECT_EQ(TaskCalls(), 1u);
  RunFor(absl::Seconds(1));
  EXPECT_EQ(StatusOf(arn), "SUCCEEDED");
  EXPECT_EQ(TaskCalls(), 2u);
  const std::vector<std::string> types = EventTypes(arn);
  Open();
  EXPECT_EQ(EventTypes(arn), types);
}

TEST_F(ExecutionsTest, RunsATaskAgainWhoseResultWasNotRecorded) {
  tasks_.Hang();
  const std::string machine = Create("m", OneState(kTask));
  const std::string arn = Start(machine, R"({"x":1})");
  EXPECT_EQ(TaskCalls(), 1u);
  tasks_.Answer([](const TaskCall& call) { return call.arguments; });
  Open();
  Settle();
  EXPECT_EQ(TaskCalls(), 2u);
  EXPECT_EQ(StatusOf(arn), "SUCCEEDED");
}

TEST_F(ExecutionsTest, TimesATaskOut) {
  tasks_.Hang();
  const std::string machine = Create("m", OneState(R"({"Type":"Task",
      "Resource":"arn:aws:lambda:us-east-1:000000000000:function:f",
      "TimeoutSeconds":30,"End":true})"));
  const std::string arn = Start(machine, "{}");
  RunFor(absl::Seconds(30));
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "FAILED");
  EXPECT_EQ(described["error"], "States.Timeout");
}

TEST_F(ExecutionsTest, StopsOne) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":60,"End":true})"));
  const std::string arn = Start(machine, "{}");
  const Json::Value stopped =
      Ask("StopExecution", absl::StrCat(R"({"executionArn":")", arn,
                                        R"(","error":"E","cause":"C"})"));
  EXPECT_EQ(stopped["stopDate"].asInt64(), 1'794'902'400);
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "ABORTED");
  EXPECT_EQ(described["error"], "E");
  EXPECT_EQ(described["cause"], "C");
  RunFor(absl::Minutes(2));
  EXPECT_EQ(Ask("StopExecution", ExecutionBody(arn))["stopDate"].asInt64(),
            1'794'902'400);
}

TEST_F(ExecutionsTest, RedrivesOneFromWhereItFailed) {
  tasks_.Answer([](const TaskCall&) {
    return TaskFailure{.error = "Oops", .cause = ""};
  });
  const std::string machine = Create("m", OneState(kTask));
  const std::string arn = Start(machine, R"({"x":1})");
  tasks_.Answer([](const TaskCall& call) { return call.arguments; });
  EXPECT_TRUE(
      Ask("RedriveExecution", ExecutionBody(arn)).isMember("redriveDate"));
  Settle();
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "SUCCEEDED");
  EXPECT_EQ(described["redriveCount"], 1);
  EXPECT_EQ(TypeOf(Ask("RedriveExecution", ExecutionBody(arn))),
            "ExecutionNotRedrivable");
  Open();
  EXPECT_THAT(EventTypes(arn), ::testing::Contains("ExecutionRedriven"));
}

TEST_F(ExecutionsTest, ListsTheNewestFirstInPagesAndByStatus) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":10,"End":true})"));
  for (const char* name : {"a", "b", "c"}) {
    Start(machine, "{}", name);
    RunFor(absl::Seconds(4));
  }
  const auto list = [&](const std::string& more) {
    return Ask("ListExecutions", absl::StrCat(R"({"stateMachineArn":")",
                                              machine, "\"", more, "}"));
  };
  const Json::Value first = list(R"(,"maxResults":2)");
  ASSERT_EQ(first["executions"].size(), 2u);
  EXPECT_EQ(first["executions"][0]["name"], "c");
  EXPECT_EQ(first["executions"][1]["name"], "b");
  const Json::Value second = list(absl::StrCat(
      R"(,"maxResults":2,"nextToken":")", first["nextToken"].asString(), "\""));
  ASSERT_EQ(second["executions"].size(), 1u);
  EXPECT_EQ(second["executions"][0]["status"], "SUCCEEDED");
  EXPECT_FALSE(second.isMember("nextToken"));
  EXPECT_EQ(list(R"(,"statusFilter":"RUNNING")")["executions"].size(), 2u);
  EXPECT_EQ(list(R"(,"redriveFilter":"REDRIVEN")")["executions"].size(), 0u);
}

TEST_F(ExecutionsTest, GivesTheHistoryInPagesInBothOrders) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","End":true})"));
  const std::string arn = Start(machine, R"({"x":1})");
  const auto history = [&](const std::string& more) {
    return Ask("GetExecutionHistory",
               absl::StrCat(R"({"executionArn":")", arn, "\"", more, "}"));
  };
  const Json::Value first = history(R"(,"maxResults":3)");
  ASSERT_EQ(first["events"].size(), 3u);
  EXPECT_EQ(first["events"][0]["executionStartedEventDetails"]["input"],
            R"({"x":1})");
  const Json::Value rest = history(
      absl::StrCat(R"(,"nextToken":")", first["nextToken"].asString(), "\""));
  ASSERT_EQ(rest["events"].size(), 1u);
  EXPECT_EQ(rest["events"][0]["id"], 4);
  EXPECT_EQ(history(R"(,"reverseOrder":true)")["events"][0]["id"], 4);
  EXPECT_FALSE(
      history(
          R"(,"includeExecutionData":false)")["events"][0]
                                             ["executionStartedEventDetails"]
                                                 .isMember("input"));
}

TEST_F(ExecutionsTest, TellsTheResultOfASynchronousExpressExecution) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":20,"End":true})"),
             R"(,"type":"EXPRESS")");
  std::optional<Json::Value> answer;
  AskLater("StartSyncExecution",
           absl::StrCat(R"({"stateMachineArn":")", machine,
                        R"(","input":"{\"a\":1}"})"),
           [&](Json::Value value) { answer = std::move(value); });
  Settle();
  EXPECT_FALSE(answer.has_value());
  RunFor(absl::Seconds(20));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ((*answer)["status"], "SUCCEEDED");
  EXPECT_EQ((*answer)["output"], R"({"a":1})");
  EXPECT_EQ((*answer)["billingDetails"]["billedDurationInMilliseconds"].asInt(),
            20000);
  EXPECT_EQ(TypeOf(Describe((*answer)["executionArn"].asString())),
            "InvalidArn");
  const std::string standard =
      Create("s", OneState(R"({"Type":"Pass","End":true})"));
  EXPECT_EQ(
      TypeOf(Ask("StartSyncExecution",
                 absl::StrCat(R"({"stateMachineArn":")", standard, R"("})"))),
      "StateMachineTypeNotSupported");
}

TEST_F(ExecutionsTest, LetsAnExpressExecutionBeginAgainAfterARestart) {
  const std::string machine = Create("m", R"({"StartAt":"A","States":{
      "A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:a","Next":"W"},
      "W":{"Type":"Wait","Seconds":100,"End":true}}})",
                                     R"(,"type":"EXPRESS")");
  Start(machine, "{}");
  Open();
  Settle();
  EXPECT_EQ(TaskCalls(), 2u);
}

TEST_F(ExecutionsTest, WaitsForACallback) {
  const std::string machine = Create("m", OneState(R"({"Type":"Task",
      "Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken",
      "Parameters":{"QueueUrl":"q","MessageBody":{"t.$":"$$.Task.Token"}},
      "End":true})"));
  const std::string arn = Start(machine, "{}");
  ASSERT_EQ(TaskCalls(), 1u);
  const std::string token(
      tasks_.calls()[0].arguments.Find("MessageBody")->Find("t")->string());
  EXPECT_EQ(StatusOf(arn), "RUNNING");
  // The token is good after a restart, and the message is not sent again.
  Open();
  Settle();
  EXPECT_EQ(TaskCalls(), 1u);
  const std::string success = absl::StrCat(R"({"taskToken":")", token,
                                           R"(","output":"{\"done\":true}"})");
  EXPECT_EQ(Ask("SendTaskHeartbeat",
                absl::StrCat(R"({"taskToken":")", token, R"("})")),
            Json::Value(Json::objectValue));
  EXPECT_EQ(Ask("SendTaskSuccess", success), Json::Value(Json::objectValue));
  EXPECT_EQ(Describe(arn)["output"], R"({"done":true})");
  EXPECT_EQ(TypeOf(Ask("SendTaskSuccess", success)), "TaskTimedOut");
  EXPECT_EQ(
      TypeOf(Ask("SendTaskSuccess", R"({"taskToken":"?","output":"{}"})")),
      "InvalidToken");
}

TEST_F(ExecutionsTest, FailsWithTheErrorOfACallback) {
  const std::string machine = Create("m", OneState(R"({"Type":"Task",
      "Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken",
      "Parameters":{"FunctionName":"f","Payload.$":"$$.Task.Token"},
      "End":true})"));
  const std::string arn = Start(machine, "{}");
  Ask("SendTaskFailure",
      absl::StrCat(R"({"error":"E","cause":"C","taskToken":)",
                   tasks_.calls()[0].arguments.Find("Payload")->ToJson(), "}"));
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "FAILED");
  EXPECT_EQ(described["error"], "E");
}

TEST_F(ExecutionsTest, TakesACallbackThatComesBeforeTheAnswerOfTheService) {
  tasks_.Hang();
  const std::string machine = Create("m", OneState(R"({"Type":"Task",
      "Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken",
      "Parameters":{"FunctionName":"f","Payload.$":"$$.Task.Token"},
      "End":true})"));
  const auto token = [this] {
    return tasks_.calls().back().arguments.Find("Payload")->ToJson();
  };
  const std::string failed = Start(machine, "{}");
  Ask("SendTaskFailure",
      absl::StrCat(R"({"error":"E","taskToken":)", token(), "}"));
  EXPECT_EQ(Describe(failed)["error"], "E");
  EXPECT_THAT(EventTypes(failed), ::testing::Contains("TaskFailed"));
  const std::string succeeded = Start(machine, "{}");
  Ask("SendTaskSuccess",
      absl::StrCat(R"({"output":"1","taskToken":)", token(), "}"));
  EXPECT_EQ(Describe(succeeded)["output"], "1");
}

TEST_F(ExecutionsTest, GivesTheTasksOfAnActivityToWorkers) {
  const std::string activity =
      Ask("CreateActivity", R"({"name":"a"})")["activityArn"].asString();
  const std::string machine =
      Create("m", OneState(absl::StrCat(R"({"Type":"Task","Resource":")",
                                        activity, R"(","End":true})")));
  const std::string poll =
      absl::StrCat(R"({"activityArn":")", activity, R"(","workerName":"w"})");
  // Nothing comes within a minute.
  std::optional<Json::Value> nothing;
  AskLater("GetActivityTask", poll,
           [&](Json::Value value) { nothing = std::move(value); });
  RunFor(absl::Seconds(59));
  EXPECT_FALSE(nothing.has_value());
  RunFor(absl::Seconds(1));
  ASSERT_TRUE(nothing.has_value());
  EXPECT_FALSE(nothing->isMember("taskToken"));

  const std::string waiting = Start(machine, R"({"x":1})");
  const Json::Value task = Ask("GetActivityTask", poll);
  EXPECT_EQ(task["input"], R"({"x":1})");
  Open();
  Ask("SendTaskSuccess", absl::StrCat(R"({"output":"2","taskToken":")",
                                      task["taskToken"].asString(), R"("})"));
  EXPECT_EQ(Describe(waiting)["output"], "2");
  EXPECT_THAT(
      EventTypes(waiting),
      ElementsAre("ExecutionStarted", "TaskStateEntered", "ActivityScheduled",
                  "ActivityStarted", "ActivitySucceeded", "TaskStateExited",
                  "ExecutionSucceeded"));

  // A worker that waits gets it at once; one that is not started yet waits for
  // a worker over a restart.
  std::optional<Json::Value> got;
  AskLater("GetActivityTask", poll,
           [&](Json::Value value) { got = std::move(value); });
  Start(machine, "3");
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ((*got)["input"], "3");
  Start(machine, "4");
  Open();
  EXPECT_EQ(Ask("GetActivityTask", poll)["input"], "4");
}

TEST_F(ExecutionsTest, FailsWithoutTheActivity) {
  const std::string machine = Create(
      "m", OneState(absl::StrCat(R"({"Type":"Task","Resource":")", kArnPrefix,
                                 R"(activity:none","End":true})")));
  const std::string arn = Start(machine, "{}");
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["error"], "States.Runtime");
  EXPECT_EQ(described["cause"],
            absl::StrCat("An error occurred while executing the state 'S' "
                         "(entered at the event id #2). The activity ",
                         kArnPrefix, "activity:none does not exist."));
}

TEST_F(ExecutionsTest, WaitsForAChildExecution) {
  const std::string child = Create("child", R"({"StartAt":"W","States":{
      "W":{"Type":"Wait","Seconds":10,"Next":"P"},
      "P":{"Type":"Pass","Result":{"r":1},"End":true}}})");
  std::string child_execution;
  tasks_.Answer([&](const TaskCall&) {
    child_execution = absl::StrCat(kArnPrefix, "execution:child:c");
    ObjectBuilder answer;
    answer.Set("ExecutionArn", Data::String(child_execution));
    return std::move(answer).Build();
  });
  const std::string parent = Create(
      "parent", OneState(absl::StrCat(
                    R"({"Type":"Task",)",
                    R"("Resource":"arn:aws:states:::states:startExecution.)",
                    R"(sync:2","Parameters":{"StateMachineArn":")", child,
                    R"("},"OutputPath":"$.Output","End":true})")));
  Start(child, "{}", "c");
  const std::string arn = Start(parent, "{}");
  EXPECT_EQ(StatusOf(arn), "RUNNING");
  Open();
  RunFor(absl::Seconds(10));
  const Json::Value described = Describe(arn);
  EXPECT_EQ(described["status"], "SUCCEEDED") << described;
  EXPECT_EQ(described["output"], R"({"r":1})");
}

TEST_F(ExecutionsTest, LogsWhatTheLevelWants) {
  const auto with_level = [](const char* level) {
    return absl::StrCat(
        R"(,"loggingConfiguration":{"level":")", level,
        R"(","includeExecutionData":true,"destinations":[)",
        R"({"cloudWatchLogsLogGroup":{"logGroupArn":)",
        R"("arn:aws:logs:us-east-1:000000000000:log-group:g:*"}}]})");
  };
  const std::string all = Create(
      "all", OneState(R"({"Type":"Pass","End":true})"), with_level("ALL"));
  Start(all, R"({"x":1})", "n");
  {
    const sync::MutexLock lock(log_mutex_);
    ASSERT_EQ(log_.size(), 4u);
    EXPECT_EQ(log_[0].first,
              "arn:aws:logs:us-east-1:000000000000:log-group:g:*");
    EXPECT_EQ(
        log_[3].second,
        absl::StrCat(
            R"({"id":"4","type":"ExecutionSucceeded","details":{)",
            R"("output":"{\"x\":1}","outputDetails":{"truncated":false}},)",
            R"("previous_event_id":"3","event_timestamp":"1794902400000",)",
            R"("execution_arn":")", kArnPrefix,
            R"(execution:all:n","redrive_count":"0"})"));
    log_.clear();
  }
  const std::string fatal = Create(
      "fatal", OneState(R"({"Type":"Fail","Error":"E"})"), with_level("FATAL"));
  Start(fatal, "{}");
  const sync::MutexLock lock(log_mutex_);
  ASSERT_EQ(log_.size(), 1u);
}

TEST_F(ExecutionsTest, KeepsManyThatWaitAndWakesEach) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":100,"End":true})"));
  std::vector<std::string> arns;
  for (std::size_t i = 0; i < kMaxAwake + 10; ++i) {
    arns.push_back(Start(machine, absl::StrCat(R"({"i":)", i, "}")));
  }
  EXPECT_EQ(Describe(arns[0])["input"], R"({"i":0})");
  RunFor(absl::Seconds(100));
  for (std::size_t i = 0; i < arns.size(); i += 101) {
    EXPECT_EQ(Describe(arns[i])["output"], absl::StrCat(R"({"i":)", i, "}"));
  }
}

TEST_F(ExecutionsTest, StopsWhatRunsWhenItsMachineIsDeleted) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Wait","Seconds":60,"End":true})"));
  const std::string arn = Start(machine, "{}");
  Ask("DeleteStateMachine",
      absl::StrCat(R"({"stateMachineArn":")", machine, R"("})"));
  EXPECT_EQ(StatusOf(arn), "ABORTED");
  EXPECT_EQ(Ask("DescribeStateMachineForExecution",
                ExecutionBody(arn))["stateMachineArn"],
            machine);
}

TEST_F(ExecutionsTest, ShowsTheChildrenOfADistributedMap) {
  const std::string machine = Create("m", OneState(R"({"Type":"Map",
      "Label":"Each","ItemsPath":"$","End":true,
      "ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED",
        "ExecutionType":"STANDARD"},"StartAt":"P",
        "States":{"P":{"Type":"Pass","End":true}}}})"));
  const std::string arn = Start(machine, "[1,2,3]");
  EXPECT_EQ(StatusOf(arn), "SUCCEEDED");
  const Json::Value runs = Ask("ListMapRuns", ExecutionBody(arn));
  ASSERT_EQ(runs["mapRuns"].size(), 1u) << runs;
  const std::string run = runs["mapRuns"][0]["mapRunArn"].asString();
  const std::string run_body = absl::StrCat(R"({"mapRunArn":")", run, R"("})");
  const Json::Value described = Ask("DescribeMapRun", run_body);
  EXPECT_EQ(described["status"], "SUCCEEDED") << described;
  EXPECT_EQ(described["executionArn"], arn);
  EXPECT_EQ(described["itemCounts"]["succeeded"], 3);
  const Json::Value children = Ask("ListExecutions", run_body);
  ASSERT_EQ(children["executions"].size(), 3u) << children;
  const std::string child =
      children["executions"][1]["executionArn"].asString();
  EXPECT_EQ(Describe(child)["output"], "2");
  EXPECT_EQ(Describe(child)["mapRunArn"], run);
  EXPECT_EQ(EventTypes(child).back(), "ExecutionSucceeded");
  EXPECT_EQ(
      TypeOf(Ask("DescribeMapRun", absl::StrCat(R"({"mapRunArn":")", kArnPrefix,
                                                R"(mapRun:m/Each:none"})"))),
      "ResourceNotFound");
}

TEST_F(ExecutionsTest, KeepsARevisionAsLongAsAnExecutionOfItIsKept) {
  const std::string machine =
      Create("m", OneState(R"({"Type":"Pass","End":true})"));
  const std::string arn = Start(machine, "{}");
  Ask("UpdateStateMachine",
      absl::StrCat(R"({"stateMachineArn":")", machine, R"(","definition":)",
                   QuotedJson(OneState(R"({"Type":"Succeed"})")), "}"));
  Open();
  EXPECT_EQ(EventTypes(arn).size(), 4u);
  RunFor(absl::Hours(24 * 91));
  const auto revisions = [this] {
    std::size_t count = 0;
    EXPECT_TRUE(sqlite_
                    ->Scan(PrefixRange("revision/"), Store::Direction::kForward,
                           [&](absl::string_view, absl::string_view) {
                             ++count;
                             return Store::Visit::kContinue;
                           })
                    .ok());
    return count;
  };
  states_.reset();
  EXPECT_EQ(revisions(), 2u);
  Open();
  states_.reset();
  EXPECT_EQ(revisions(), 1u);
}

TEST_F(ExecutionsTest, StartsNothingThatCannotBeCommitted) {
  const std::string machine = Create("m", OneState(kTask));
  store_->FailCommits(1);
  EXPECT_EQ(
      TypeOf(Ask("StartExecution", absl::StrCat(R"({"stateMachineArn":")",
                                                machine, R"(","name":"n"})"))),
      "InternalFailure");
  Settle();
  EXPECT_EQ(TaskCalls(), 0u);
  EXPECT_EQ(Describe(Start(machine, "{}", "n"))["status"], "SUCCEEDED");
}

TEST_F(ExecutionsTest, GoesOnAfterACommitThatFailed) {
  const std::string machine = Create("m", R"({"StartAt":"W","States":{
      "W":{"Type":"Wait","Seconds":10,"Next":"A"},
      "A":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:a","End":true}}})");
  const std::string arn = Start(machine, R"({"x":1})");
  store_->FailCommits(1);
  RunFor(absl::Seconds(10));
  EXPECT_EQ(store_->failed_commits(), 1);
  Settle();
  EXPECT_EQ(StatusOf(arn), "SUCCEEDED");
  EXPECT_EQ(TaskCalls(), 1u);
}

TEST_F(ExecutionsTest, TestsAState) {
  const Json::Value passed =
      Ask("TestState",
          absl::StrCat(R"({"definition":)", QuotedJson(R"({"Type":"Pass",
                                        "Result":{"a":1},"Next":"N"})"),
                       R"(,"input":"{}"})"));
  EXPECT_EQ(passed["status"], "SUCCEEDED") << passed;
  EXPECT_EQ(passed["output"], R"({"a":1})");
  EXPECT_EQ(passed["nextState"], "N");
  tasks_.Answer([](const TaskCall&) {
    return TaskFailure{.error = "Oops", .cause = "C"};
  });
  const Json::Value failed = Ask(
      "TestState", absl::StrCat(R"({"roleArn":")", kRole, R"(","definition":)",
                                QuotedJson(kTask), R"(,"input":"{}"})"));
  EXPECT_EQ(failed["status"], "FAILED") << failed;
  EXPECT_EQ(failed["error"], "Oops");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
