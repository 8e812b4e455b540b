#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kTask[] =
    R"({"Type": "Task", "End": true,
        "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f"})";

// A Map state over the input, followed by nothing.
std::string MapMachine(absl::string_view state, absl::string_view fields,
                       absl::string_view mode = "INLINE") {
  return absl::StrCat(
      R"({"StartAt": "M", "States": {"M": {"Type": "Map",
      "End": true, )",
      fields, fields.empty() ? "" : ", ",
      R"("ItemProcessor": {"ProcessorConfig": {"Mode": ")", mode, "\"",
      mode == "INLINE" ? "" : R"(, "ExecutionType": "STANDARD")",
      R"(}, "StartAt": "I", "States": {"I": )", state, "}}}}}");
}

std::string Ids(const SimulatedRun& run) {
  std::string ids;
  for (const HistoryEvent& event : run.execution().events()) {
    absl::StrAppend(&ids, event.id, "<", event.previous_id, " ");
  }
  return ids;
}

TEST(Parallel, CollectsTheResultsOfItsBranches) {
  SimulatedRun run(R"({"StartAt": "P", "States": {"P": {"Type": "Parallel",
      "End": true, "Branches": [
        {"StartAt": "A", "States": {"A": {"Type": "Wait", "Seconds": 5,
                                          "End": true}}},
        {"StartAt": "B", "States": {"B": {"Type": "Pass", "Result": 2,
                                          "End": true}}}]}}})",
                   R"({"in": 1})");
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED [{"in":1},2])");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted ParallelStateEntered ParallelStateStarted "
            "WaitStateEntered PassStateEntered PassStateExited WaitStateExited "
            "ParallelStateSucceeded ParallelStateExited ExecutionSucceeded");
  EXPECT_EQ(Ids(run), "1<0 2<0 3<2 4<3 5<3 6<5 7<4 8<7 9<7 10<9 ");
}

TEST(Parallel, FailsWithABranchAndAbortsTheOthers) {
  SimulatedRun run(R"({"StartAt": "P", "States": {"P": {"Type": "Parallel",
      "End": true, "Branches": [
        {"StartAt": "A", "States": {"A": {"Type": "Wait", "Seconds": 5,
                                          "End": true}}},
        {"StartAt": "B", "States": {"B": {"Type": "Fail", "Error": "E",
                                          "Cause": "c"}}}]}}})",
                   "{}");
  EXPECT_EQ(run.Outcome(), "FAILED E: c");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted ParallelStateEntered ParallelStateStarted "
            "WaitStateEntered FailStateEntered WaitStateAborted "
            "ParallelStateFailed ExecutionFailed");
  EXPECT_TRUE(run.execution().Pending().timers.empty());
}

TEST(Parallel, IsRetriedAsAWhole) {
  SimulatedRun run(R"({"StartAt": "P", "States": {"P": {"Type": "Parallel",
      "End": true, "Retry": [{"ErrorEquals": ["E"], "MaxAttempts": 1}],
      "Branches": [{"StartAt": "B", "States": {
          "B": {"Type": "Fail", "Error": "E"}}}]}}})",
                   "{}");
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED E");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted ParallelStateEntered ParallelStateStarted "
            "FailStateEntered ParallelStateStarted FailStateEntered "
            "ParallelStateFailed ExecutionFailed");
  EXPECT_EQ(Ids(run), "1<0 2<0 3<2 4<3 5<4 6<5 7<6 8<7 ");
}

TEST(Map, RunsItsItemsOneByOne) {
  SimulatedRun run(
      MapMachine(R"({"Type": "Pass", "End": true})", R"("MaxConcurrency": 1)"),
      "[1, 2]");
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [1,2]");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted MapStateEntered MapStateStarted "
            "MapIterationStarted PassStateEntered PassStateExited "
            "MapIterationSucceeded MapIterationStarted PassStateEntered "
            "PassStateExited MapIterationSucceeded MapStateSucceeded "
            "MapStateExited ExecutionSucceeded");
  // An iteration follows the last event of the one before it, and the end of
  // the state follows the last iteration, as on AWS.
  EXPECT_EQ(Ids(run),
            "1<0 2<0 3<2 4<3 5<4 6<5 7<6 8<6 9<8 10<9 11<10 12<11 13<11 "
            "14<13 ");
}

TEST(Map, LimitsHowManyItemsRunAtATime) {
  SimulatedRun run(MapMachine(kTask, R"("MaxConcurrency": 3)"),
                   "[1, 2, 3, 4, 5, 6, 7]", [](const TaskRequest& task) {
                     return TaskMock::Succeed(task.arguments, absl::Seconds(1));
                   });
  size_t most = run.execution().Pending().tasks.size();
  while (run.RunOne()) {
    most = std::max(most, run.execution().Pending().tasks.size());
  }
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [1,2,3,4,5,6,7]");
  EXPECT_EQ(most, 3);
  EXPECT_EQ(run.now(), SimulatedStart() + absl::Seconds(3));
}

TEST(Map, RunsAtMostFortyItemsAtATimeWithoutALimit) {
  std::vector<Data> items(100, Data::Integer(0));
  SimulatedRun run(ParsedMachine(MapMachine(kTask, "")),
                   Data::Array(std::move(items)), [](const TaskRequest&) {
                     return TaskMock::Succeed(Data(), absl::Seconds(1));
                   });
  EXPECT_EQ(run.execution().Pending().tasks.size(), 40);
  run.RunToEnd();
  EXPECT_EQ(run.execution().status(), ExecutionStatus::kSucceeded);
}

TEST(Map, SelectsWhatAnItemGets) {
  SimulatedRun run(MapMachine(R"({"Type": "Pass", "End": true})",
                              R"("ItemsPath": "$.xs", "ItemSelector": {
                    "i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value",
                    "all.$": "$.name"})"),
                   R"({"xs": ["a", "b"], "name": "n"})");
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED [{"i":0,"v":"a","all":"n"},)"
                           R"({"i":1,"v":"b","all":"n"}])");
}

TEST(Map, SucceedsWithoutItems) {
  SimulatedRun run(MapMachine(R"({"Type": "Pass", "End": true})", ""), "[]");
  EXPECT_EQ(run.Outcome(), "SUCCEEDED []");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted MapStateEntered MapStateStarted "
            "MapStateSucceeded MapStateExited ExecutionSucceeded");
}

TEST(Map, FailsWithAnItem) {
  SimulatedRun run(
      MapMachine(kTask, ""), "[1, 2, 3]", [](const TaskRequest& task) {
        return task.arguments.integer() == 2 ? TaskMock::Fail("E", "c")
                                             : TaskMock::Hang();
      });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "FAILED E: c");
  EXPECT_EQ(run.cancelled_tasks().size(), 2);
  EXPECT_NE(run.EventTypes().find(
                "MapIterationFailed TaskStateAborted MapIterationAborted "
                "TaskStateAborted MapIterationAborted MapStateFailed "
                "ExecutionFailed"),
            std::string::npos)
      << run.EventTypes();
}

TEST(Map, KeepsVariablesOfItemsToThemselves) {
  SimulatedRun run(R"({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Assign": {"x": 1}, "Next": "M"},
      "M": {"Type": "Map", "Next": "Z", "ItemProcessor": {"StartAt": "I",
        "States": {
          "I": {"Type": "Pass", "Assign": {"y.$": "$x"}, "Next": "J"},
          "J": {"Type": "Pass", "Parameters": {"y.$": "$y"}, "End": true}}}},
      "Z": {"Type": "Pass", "Parameters": {"x.$": "$x", "m.$": "$"},
            "End": true}}})",
                   "[0, 0]");
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED {"x":1,"m":[{"y":1},{"y":1}]})");
}

TEST(Map, WithManyItemsEndsAtTheLimitOfEvents) {
  std::vector<Data> items(100000, Data::Integer(0));
  SimulatedRun run(
      ParsedMachine(MapMachine(R"({"Type": "Pass", "End": true})", "")),
      Data::Array(std::move(items)), {});
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            "FAILED States.Runtime: The execution reached the maximum number "
            "of history events (25000).");
}

TEST(DistributedMap, RunsChildExecutionsWithHistoriesOfTheirOwn) {
  SimulatedRun run(MapMachine(R"({"Type": "Pass", "Parameters":
                                 {"id.$": "$$.Execution.Id"}, "End": true})",
                              R"("Label": "label")", "DISTRIBUTED"),
                   R"(["a", "b"])");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted MapStateEntered MapStateStarted MapRunStarted "
            "MapRunSucceeded MapStateSucceeded MapStateExited "
            "ExecutionSucceeded");
  ASSERT_EQ(run.execution().map_runs().size(), 1);
  const MapRun& map_run = *run.execution().map_runs()[0];
  EXPECT_EQ(map_run.status, ExecutionStatus::kSucceeded);
  EXPECT_EQ(map_run.items.succeeded, 2);
  EXPECT_EQ(map_run.arn.find(
                "arn:aws:states:us-east-1:123456789012:mapRun:machine/label:"),
            0);
  ASSERT_EQ(map_run.children.size(), 2);
  const ChildExecution& child = *map_run.children[1];
  EXPECT_EQ(child.status, ExecutionStatus::kSucceeded);
  EXPECT_EQ(child.input.ToJson(), R"("b")");
  EXPECT_EQ(child.output->ToJson(),
            absl::StrCat(R"({"id":")", child.arn, "\"}"));
  EXPECT_EQ(child.events.size(), 4);
}

TEST(DistributedMap, PutsItemsIntoBatches) {
  SimulatedRun run(MapMachine(R"({"Type": "Pass", "End": true})",
                              R"("ItemBatcher": {"MaxItemsPerBatch": 2,
                    "BatchInput": {"k": 1}})",
                              "DISTRIBUTED"),
                   "[1, 2, 3]");
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED [{"BatchInput":{"k":1},"Items":[1,2]},)"
                           R"({"BatchInput":{"k":1},"Items":[3]}])");
}

TaskMock FailOdd(const TaskRequest& task) {
  return task.arguments.integer() % 2 == 1 ? TaskMock::Fail("E", "odd")
                                           : TaskMock::Succeed(task.arguments);
}

TEST(DistributedMap, ToleratesFailures) {
  SimulatedRun run(
      MapMachine(kTask, R"("ToleratedFailureCount": 2)", "DISTRIBUTED"),
      "[1, 2, 3, 4]", FailOdd);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [2,4]");
  EXPECT_EQ(run.execution().map_runs()[0]->items.failed, 2);
}

TEST(DistributedMap, FailsIfTooManyChildrenFail) {
  SimulatedRun run(
      MapMachine(kTask, R"("ToleratedFailurePercentage": 30)", "DISTRIBUTED"),
      "[1, 2, 3, 4]", FailOdd);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            "FAILED States.ExceedToleratedFailureThreshold: The specified "
            "tolerated failure threshold was exceeded");
  EXPECT_NE(
      run.EventTypes().find("MapRunFailed MapStateFailed ExecutionFailed"),
      std::string::npos);
  EXPECT_EQ(run.execution().map_runs()[0]->status, ExecutionStatus::kFailed);
}

TEST(DistributedMap, FollowsAnUpdateOfItsLimits) {
  SimulatedRun run(MapMachine(kTask, R"("MaxConcurrency": 1)", "DISTRIBUTED"),
                   "[2, 4, 6]", [](const TaskRequest& task) {
                     return TaskMock::Succeed(task.arguments, absl::Seconds(1));
                   });
  EXPECT_EQ(run.tasks().size(), 1);
  run.Apply(MapRunUpdated{.map_run_arn = run.execution().map_runs()[0]->arn,
                          .max_concurrency = 3,
                          .tolerated_failure_count = {},
                          .tolerated_failure_percentage = {}});
  EXPECT_EQ(run.tasks().size(), 3);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED [2,4,6]");
}

TEST(DistributedMap, FormatsItsResults) {
  const auto outcome = [](absl::string_view transformation) {
    SimulatedRun run(
        MapMachine(R"({"Type": "Pass", "End": true})",
                   absl::StrCat(R"("ResultWriter": {"WriterConfig": {
                                   "OutputType": "JSON",
                                   "Transformation": ")",
                                transformation, "\"}}"),
                   "DISTRIBUTED"),
        "[[1, 2], [3]]");
    return run.Outcome();
  };
  EXPECT_EQ(outcome("COMPACT"), "SUCCEEDED [[1,2],[3]]");
  EXPECT_EQ(outcome("FLATTEN"), "SUCCEEDED [1,2,3]");
  EXPECT_NE(outcome("NONE").find(R"("Output":"[1,2]")"), std::string::npos)
      << outcome("NONE");
}

TEST(DistributedMap, DoesNotReadFromS3) {
  SimulatedRun run(MapMachine(kTask, R"("ItemReader": {
          "Resource": "arn:aws:states:::s3:getObject",
          "ReaderConfig": {"InputType": "JSON"},
          "Parameters": {"Bucket": "b", "Key": "k"}})",
                              "DISTRIBUTED"),
                   "{}");
  EXPECT_EQ(run.execution().end()->error, "States.ItemReaderFailed");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
