#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kFunction[] = "arn:aws:lambda:us-east-1:123456789012:function:f";

// A machine with one task; after a Catch, the state "Caught".
std::string TaskMachine(absl::string_view resource, absl::string_view fields) {
  return absl::StrCat(R"({"StartAt": "T", "States": {"T": {"Type": "Task",
      "Resource": ")",
                      resource, "\", \"End\": true", fields.empty() ? "" : ", ",
                      fields,
                      R"(}, "Caught": {"Type": "Pass", "End": true}}})");
}

// Without "Caught", which must be reachable.
std::string PlainTask(absl::string_view resource, absl::string_view fields) {
  return absl::StrCat(R"({"StartAt": "T", "States": {"T": {"Type": "Task",
      "Resource": ")",
                      resource, "\", \"End\": true", fields.empty() ? "" : ", ",
                      fields, "}}}");
}

TaskMock Echo(const TaskRequest& task) {
  return TaskMock::Succeed(task.arguments);
}

TEST(TaskResource, IsTakenApart) {
  const TaskResource wait =
      ParseTaskResource("arn:aws:states:::sqs:sendMessage.waitForTaskToken");
  EXPECT_EQ(wait.kind, TaskKind::kService);
  EXPECT_EQ(wait.pattern, TaskPattern::kWaitForTaskToken);
  EXPECT_EQ(wait.service, "sqs");
  EXPECT_EQ(wait.action, "sendMessage");
  EXPECT_EQ(wait.event_resource_type, "sqs");
  EXPECT_EQ(wait.event_resource, "sendMessage.waitForTaskToken");

  const TaskResource sdk =
      ParseTaskResource("arn:aws:states:::aws-sdk:dynamodb:query");
  EXPECT_EQ(sdk.kind, TaskKind::kSdk);
  EXPECT_EQ(sdk.event_resource_type, "aws-sdk:dynamodb");
  EXPECT_EQ(sdk.action, "query");

  const TaskResource sync =
      ParseTaskResource("arn:aws:states:::states:startExecution.sync:2");
  EXPECT_EQ(sync.pattern, TaskPattern::kSync2);
  EXPECT_EQ(sync.action, "startExecution");

  EXPECT_EQ(ParseTaskResource(kFunction).kind, TaskKind::kLambdaFunction);
  EXPECT_EQ(
      ParseTaskResource("arn:aws:states:us-east-1:123456789012:activity:a")
          .kind,
      TaskKind::kActivity);
}

TEST(Tasks, ReportAFunctionByItsArn) {
  SimulatedRun run(PlainTask(kFunction, ""), R"({"a": 1})", Echo);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED {"a":1})");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted TaskStateEntered LambdaFunctionScheduled "
            "LambdaFunctionStarted LambdaFunctionSucceeded TaskStateExited "
            "ExecutionSucceeded");
}

TEST(Tasks, SelectAndPlaceTheirResult) {
  SimulatedRun run(
      PlainTask("arn:aws:states:::lambda:invoke",
                R"("Parameters": {"FunctionName": "f", "Payload.$": "$.in"},
                   "ResultSelector": {"p.$": "$.Payload"},
                   "ResultPath": "$.out", "OutputPath": "$.out")"),
      R"({"in": [1, 2]})", Echo);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED {"p":[1,2]})");
  EXPECT_NE(
      run.EventsJson().find(R"("resourceType":"lambda","resource":"invoke",)"
                            R"("region":"us-east-1")"),
      std::string::npos)
      << run.EventsJson();
}

TEST(Tasks, AreRetriedWithGrowingDelays) {
  std::vector<absl::Time> starts;
  SimulatedRun* current = nullptr;
  const auto mock = [&](const TaskRequest& task) {
    starts.push_back(current == nullptr ? SimulatedStart() : current->now());
    return starts.size() < 4 ? TaskMock::Fail("E", "c")
                             : TaskMock::Succeed(task.arguments);
  };
  SimulatedRun run(PlainTask(kFunction, R"("Retry": [
      {"ErrorEquals": ["X"]},
      {"ErrorEquals": ["E"], "IntervalSeconds": 2, "BackoffRate": 3,
       "MaxAttempts": 5, "MaxDelaySeconds": 10}])"),
                   "{}", mock);
  current = &run;
  run.RunToEnd();
  EXPECT_EQ(run.execution().status(), ExecutionStatus::kSucceeded);
  ASSERT_EQ(starts.size(), 4);
  EXPECT_EQ(starts[1] - starts[0], absl::Seconds(2));
  EXPECT_EQ(starts[2] - starts[1], absl::Seconds(6));
  EXPECT_EQ(starts[3] - starts[2], absl::Seconds(10));
}

TEST(Tasks, CountTheirRetriesInTheContextObject) {
  std::vector<std::string> counts;
  SimulatedRun run(
      PlainTask(kFunction, R"("Parameters": {"n.$": "$$.State.RetryCount"},
                              "Retry": [{"ErrorEquals": ["States.ALL"]}])"),
      "{}", [&](const TaskRequest& task) {
        counts.push_back(task.arguments.ToJson());
        return TaskMock::Fail("E", "c");
      });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED E: c");
  EXPECT_EQ(counts, (std::vector<std::string>{R"({"n":0})", R"({"n":1})",
                                              R"({"n":2})", R"({"n":3})"}));
}

TEST(Tasks, HandTheErrorToACatch) {
  SimulatedRun run(TaskMachine(kFunction, R"("Catch": [
      {"ErrorEquals": ["States.TaskFailed"], "ResultPath": "$.e",
       "Next": "Caught"}])"),
                   R"({"a": 1})", [](const TaskRequest&) {
                     return TaskMock::Fail("E", "because");
                   });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            R"(SUCCEEDED {"a":1,"e":{"Error":"E","Cause":"because"}})");
}

TEST(Tasks, TimeOut) {
  SimulatedRun run(TaskMachine(kFunction, R"("TimeoutSeconds": 5, "Catch": [
      {"ErrorEquals": ["States.Timeout"], "Next": "Caught"}])"),
                   "{}", [](const TaskRequest&) { return TaskMock::Hang(); });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            R"(SUCCEEDED {"Error":"States.Timeout","Cause":""})");
  EXPECT_EQ(run.now(), SimulatedStart() + absl::Seconds(5));
  EXPECT_EQ(run.cancelled_tasks().size(), 1);
  EXPECT_NE(run.EventTypes().find("LambdaFunctionTimedOut TaskStateExited"),
            std::string::npos);
}

TEST(Tasks, TimeOutWithoutHeartbeat) {
  SimulatedRun run(
      PlainTask("arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                R"("HeartbeatSeconds": 10, "Parameters": {"MessageBody":
                   {"token.$": "$$.Task.Token"}, "QueueUrl": "q"})"),
      "{}", [](const TaskRequest&) {
        TaskMock mock = TaskMock::Hang();
        mock.submitted = Data::EmptyObject();
        mock.heartbeats = {absl::Seconds(9), absl::Seconds(18)};
        return mock;
      });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED States.Timeout");
  EXPECT_EQ(run.now(), SimulatedStart() + absl::Seconds(28));
  EXPECT_NE(run.EventTypes().find("TaskStarted TaskSubmitted TaskTimedOut"),
            std::string::npos)
      << run.EventTypes();
}

TEST(Tasks, TellThatTheirRequestWasRefused) {
  const auto fail = [](const TaskRequest&) {
    return TaskMock::Fail("SQS.QueueDoesNotExistException", "none");
  };
  SimulatedRun run(
      PlainTask("arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                R"("Parameters": {"MessageBody.$":
                                               "$$.Task.Token"})"),
      "{}", fail);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED SQS.QueueDoesNotExistException: none");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted TaskStateEntered TaskScheduled TaskStarted "
            "TaskSubmitFailed ExecutionFailed");
  // Once it was accepted, the task fails.
  SimulatedRun accepted(
      PlainTask("arn:aws:states:::states:startExecution.sync:2",
                R"("Parameters": {"StateMachineArn": "m"})"),
      "{}", [&](const TaskRequest& task) {
        TaskMock mock = fail(task);
        mock.submitted = Data::EmptyObject();
        return mock;
      });
  accepted.RunToEnd();
  EXPECT_EQ(accepted.EventTypes(),
            "ExecutionStarted TaskStateEntered TaskScheduled TaskStarted "
            "TaskSubmitted TaskFailed ExecutionFailed");
}

TEST(Tasks, WaitForTheirToken) {
  SimulatedRun run(
      PlainTask("arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                R"("Parameters": {"MessageBody.$": "$$.Task.Token"})"),
      "{}", [](const TaskRequest&) { return TaskMock::Hang(); });
  ASSERT_EQ(run.tasks().size(), 1);
  const TaskRequest& task = run.tasks()[0];
  EXPECT_FALSE(task.token.empty());
  EXPECT_EQ(task.arguments.Find("MessageBody")->string(), task.token);
  run.Apply(TaskSubmitted{task.id, ParsedData(R"({"MessageId": "m"})")});
  run.Apply(TaskSubmitted{task.id, ParsedData(R"({"MessageId": "n"})")});
  run.Restart();
  const Effects pending = run.execution().Pending();
  ASSERT_EQ(pending.tasks.size(), 1);
  EXPECT_EQ(pending.tasks[0].token, run.tasks()[0].token);
  EXPECT_EQ(pending.tasks[0].submitted->ToJson(), R"({"MessageId":"m"})");
  run.Apply(TaskSucceeded{run.tasks()[0].id, ParsedData("[true]")});
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [true]");
}

TEST(Tasks, OfActivitiesAreScheduledOnceTheActivityHasAcceptedThem) {
  SimulatedRun run(PlainTask("arn:aws:states:us-east-1:123456789012:activity:a",
                             R"("TimeoutSeconds": 60)"),
                   "{}", [](const TaskRequest&) { return TaskMock::Hang(); });
  EXPECT_EQ(run.EventTypes(), "ExecutionStarted TaskStateEntered");
  const TaskId task = run.tasks()[0].id;
  run.Apply(TaskSubmitted{task, Data()});
  run.Apply(ActivityStarted{task, "worker"});
  run.Apply(TaskSucceeded{task, Data::Integer(1)});
  EXPECT_EQ(run.Outcome(), "SUCCEEDED 1");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted TaskStateEntered ActivityScheduled "
            "ActivityStarted ActivitySucceeded TaskStateExited "
            "ExecutionSucceeded");
}

TEST(Tasks, OfMissingActivitiesEndTheExecution) {
  SimulatedRun run(
      TaskMachine("arn:aws:states:us-east-1:123456789012:activity:a",
                  R"("Catch": [{"ErrorEquals": ["States.ALL"],
                                     "Next": "Caught"}])"),
      "{}", [](const TaskRequest&) {
        return TaskMock::Fail("States.Runtime", "Missing.");
      });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            "FAILED States.Runtime: An error occurred while executing the "
            "state 'T' (entered at the event id #2). Missing.");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted TaskStateEntered ExecutionFailed");
}

TEST(Tasks, FailIfTheirResultIsTooLargeAndThatCanBeCaught) {
  const auto large = [](const TaskRequest&) {
    return TaskMock::Succeed(Data::String(std::string(kMaxDataBytes, 'a')));
  };
  const std::string catch_all = R"("Catch": [{"ErrorEquals": ["States.ALL"],
                                              "Next": "Caught"}])";
  SimulatedRun function(TaskMachine(kFunction, catch_all), "{}", large);
  function.RunToEnd();
  EXPECT_EQ(function.Outcome(),
            absl::StrCat(R"(SUCCEEDED {"Error":"States.DataLimitExceeded",)"
                         R"("Cause":"The state/task ')",
                         kFunction,
                         "' returned a result with a size exceeding the "
                         "maximum number of bytes service limit.\"}"));
  SimulatedRun service(TaskMachine("arn:aws:states:::lambda:invoke", catch_all),
                       "{}", large);
  service.RunToEnd();
  EXPECT_NE(service.Outcome().find("The state/task 'lambda' returned"),
            std::string::npos);
}

TEST(Tasks, DoNotCatchRuntimeErrors) {
  SimulatedRun run(TaskMachine(kFunction, R"("OutputPath": "$.no.such",
      "Retry": [{"ErrorEquals": ["States.ALL"]}],
      "Catch": [{"ErrorEquals": ["States.Runtime"], "Next": "Caught"}])"),
                   "{}", Echo);
  run.RunToEnd();
  EXPECT_EQ(run.execution().end()->error, "States.Runtime");
}

TEST(Tasks, UseTheRoleOfTheirCredentials) {
  SimulatedRun run(
      PlainTask("arn:aws:states:::lambda:invoke",
                R"("Credentials": {"RoleArn": "arn:aws:iam::1:role/other"})"),
      "{}", Echo);
  EXPECT_EQ(run.tasks()[0].role_arn, "arn:aws:iam::1:role/other");
  EXPECT_NE(run.EventsJson().find(
                R"("taskCredentials":{"roleArn":"arn:aws:iam::1:role/other"})"),
            std::string::npos);
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
