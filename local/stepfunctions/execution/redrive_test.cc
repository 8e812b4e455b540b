#include <string>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kTwoTasks[] = R"({"StartAt": "A", "States": {
    "A": {"Type": "Task", "Next": "B",
          "Resource": "arn:aws:lambda:us-east-1:123456789012:function:a"},
    "B": {"Type": "Task", "End": true,
          "Resource": "arn:aws:lambda:us-east-1:123456789012:function:b"}}})";

TEST(Redrive, ContinuesWithTheStateThatHasFailed) {
  bool broken = true;
  SimulatedRun run(kTwoTasks, "1", [&](const TaskRequest& task) {
    return task.state_name == "B" && broken ? TaskMock::Fail("E", "c")
                                            : TaskMock::Succeed(task.arguments);
  });
  EXPECT_EQ(run.execution().RedriveRefusal(),
            "Execution is RUNNING and cannot be redriven");
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED E: c");
  EXPECT_EQ(run.execution().RedriveRefusal(), "");
  broken = false;
  run.Apply(Redriven{});
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED 1");
  EXPECT_EQ(run.execution().redrive_count(), 1);
  EXPECT_EQ(run.tasks().size(), 3);
  EXPECT_NE(run.EventTypes().find(
                "ExecutionFailed ExecutionRedriven LambdaFunctionScheduled "
                "LambdaFunctionStarted LambdaFunctionSucceeded "
                "TaskStateExited ExecutionSucceeded"),
            std::string::npos)
      << run.EventTypes();
  EXPECT_EQ(run.execution().RedriveRefusal(),
            "Execution is SUCCEEDED and cannot be redriven");
}

TEST(Redrive, RunsOnlyTheItemsThatHaveNotSucceeded) {
  bool broken = true;
  SimulatedRun run(R"({"StartAt": "M", "States": {"M": {"Type": "Map",
      "MaxConcurrency": 1, "End": true, "ItemProcessor": {"StartAt": "T",
      "States": {"T": {"Type": "Task", "End": true, "Resource":
        "arn:aws:lambda:us-east-1:123456789012:function:f"}}}}}})",
                   "[1, 2, 3]", [&](const TaskRequest& task) {
                     return task.arguments.integer() == 2 && broken
                                ? TaskMock::Fail("E", "c")
                                : TaskMock::Succeed(task.arguments);
                   });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED E: c");
  broken = false;
  run.Apply(Redriven{});
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [1,2,3]");
  EXPECT_EQ(run.tasks().size(), 4);
}

TEST(Redrive, RunsTheFailedChildrenOfAMapRunAgain) {
  bool broken = true;
  SimulatedRun run(R"({"StartAt": "M", "States": {"M": {"Type": "Map",
      "MaxConcurrency": 1, "End": true, "ItemProcessor": {
      "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
      "StartAt": "T", "States": {"T": {"Type": "Task", "End": true, "Resource":
        "arn:aws:lambda:us-east-1:123456789012:function:f"}}}}}})",
                   "[1, 2, 3]", [&](const TaskRequest& task) {
                     return task.arguments.integer() == 2 && broken
                                ? TaskMock::Fail("E", "c")
                                : TaskMock::Succeed(task.arguments);
                   });
  run.RunToEnd();
  EXPECT_EQ(run.execution().status(), ExecutionStatus::kFailed);
  broken = false;
  run.Apply(Redriven{});
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [1,2,3]");
  const MapRun& map_run = *run.execution().map_runs()[0];
  EXPECT_EQ(map_run.redrive_count, 1);
  EXPECT_EQ(map_run.items.succeeded, 3);
  EXPECT_EQ(map_run.items.failed, 0);
  EXPECT_EQ(map_run.children[1]->redrive_count, 1);
}

TEST(Redrive, WaitsAgainAfterAStop) {
  SimulatedRun run(R"({"StartAt": "W", "States": {
      "W": {"Type": "Wait", "Seconds": 10, "End": true}}})",
                   "{}");
  run.RunUntil(SimulatedStart() + absl::Seconds(4));
  run.Apply(StopRequested{});
  run.Apply(Redriven{});
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED {}");
  EXPECT_EQ(run.now(), SimulatedStart() + absl::Seconds(14));
}

TEST(Redrive, EntersAFailStateAgain) {
  SimulatedRun run(R"({"StartAt": "F", "States": {
      "F": {"Type": "Fail", "Error": "E"}}})",
                   "{}");
  run.Apply(Redriven{});
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted FailStateEntered ExecutionFailed "
            "ExecutionRedriven FailStateEntered ExecutionFailed");
}

TEST(Redrive, IsNotForExpressExecutions) {
  SimulatedRun run(ParsedMachine(R"({"StartAt": "F", "States": {
      "F": {"Type": "Fail", "Error": "E"}}})"),
                   Data::EmptyObject(), {},
                   SimulatedInfo(StateMachineType::kExpress));
  EXPECT_NE(run.execution().RedriveRefusal(), "");
  run.Apply(Redriven{});
  EXPECT_EQ(run.Outcome(), "FAILED E");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
