#include "local/stepfunctions/execution/test_state.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"

namespace byoshin::local::stepfunctions {
namespace {

TestStateRequest RequestFor(absl::string_view state, absl::string_view input) {
  TestStateRequest request;
  request.machine = ParseSingleState(state, "State", {}).machine;
  request.info = SimulatedInfo(StateMachineType::kExpress);
  request.input = ParsedData(input);
  request.inspection_level = InspectionLevel::kTrace;
  request.now = SimulatedStart();
  return request;
}

TestStateResult ResultOf(TestStateRequest request) {
  absl::StatusOr<StateTest> test = StateTest::Start(std::move(request));
  EXPECT_TRUE(test.ok()) << test.status();
  if (!test.ok()) return {};
  EXPECT_EQ(test->task(), nullptr);
  return test->result();
}

constexpr char kTaskState[] = R"({"Type": "Task", "Next": "After",
    "Resource": "arn:aws:states:::lambda:invoke",
    "Parameters": {"FunctionName": "f", "Payload.$": "$.p"},
    "ResultSelector": {"r.$": "$.Payload"}, "ResultPath": "$.out",
    "Retry": [{"ErrorEquals": ["R"], "IntervalSeconds": 2, "MaxAttempts": 2}],
    "Catch": [{"ErrorEquals": ["X"], "Next": "N"},
              {"ErrorEquals": ["C"], "Next": "Caught"}]})";

TEST(StateTest, ShowsEveryStepOfAPassState) {
  const TestStateResult result = ResultOf(RequestFor(
      R"({"Type": "Pass", "InputPath": "$.a", "Parameters": {"b.$": "$.b"},
          "ResultPath": "$.out", "OutputPath": "$.out.b", "End": true})",
      R"({"a": {"b": 1}})"));
  EXPECT_EQ(result.status, "SUCCEEDED");
  EXPECT_EQ(result.output->ToJson(), "1");
  EXPECT_EQ(result.next_state, std::nullopt);
  EXPECT_EQ(result.inspection_data->ToJson(),
            R"({"input":"{\"a\":{\"b\":1}}","afterInputPath":"{\"b\":1}",)"
            R"("afterParameters":"{\"b\":1}","afterResultSelector":)"
            R"("{\"b\":1}","afterResultPath":)"
            R"("{\"a\":{\"b\":1},\"out\":{\"b\":1}}"})");
}

TEST(StateTest, HasNoInspectionDataOnLevelInfo) {
  TestStateRequest request =
      RequestFor(R"({"Type": "Pass", "Next": "N"})", "{}");
  request.inspection_level = InspectionLevel::kInfo;
  const TestStateResult result = ResultOf(std::move(request));
  EXPECT_EQ(result.inspection_data, std::nullopt);
  EXPECT_EQ(result.next_state, "N");
}

TEST(StateTest, NamesNoStateInACause) {
  const TestStateResult result = ResultOf(RequestFor(
      R"({"Type": "Pass", "Parameters": {"b.$": "$.b"}, "End": true})", "{}"));
  EXPECT_EQ(result.error, "States.Runtime");
  EXPECT_EQ(result.cause,
            "The JSONPath '$.b' specified for the field 'b.$' could not be "
            "found in the input '{}'");
}

TEST(StateTest, HasNullInThePlaceOfARole) {
  TestStateRequest request = RequestFor(
      R"({"Type": "Pass", "Parameters": {"b.$": "$$.Execution.RoleArn"},
          "End": true})",
      "{}");
  request.info.role_arn = "";
  EXPECT_EQ(ResultOf(std::move(request)).output->ToJson(), R"({"b":null})");
}

TEST(StateTest, AsksForATask) {
  absl::StatusOr<StateTest> test =
      StateTest::Start(RequestFor(kTaskState, R"({"p": 5})"));
  ASSERT_TRUE(test.ok()) << test.status();
  ASSERT_NE(test->task(), nullptr);
  EXPECT_EQ(test->task()->arguments.ToJson(),
            R"({"FunctionName":"f","Payload":5})");
  test->Finish(TaskSucceeded{.output = ParsedData(R"({"Payload": 6})")});
  EXPECT_EQ(test->task(), nullptr);
  EXPECT_EQ(test->result().status, "SUCCEEDED");
  EXPECT_EQ(test->result().output->ToJson(), R"({"p":5,"out":{"r":6}})");
  EXPECT_EQ(test->result().next_state, "After");
  EXPECT_EQ(test->result().inspection_data->Find("result")->string(),
            R"({"Payload":6})");
}

TEST(StateTest, MocksATask) {
  TestStateRequest request = RequestFor(kTaskState, R"({"p": 5})");
  request.mock_result = ParsedData(R"({"Payload": 7})");
  EXPECT_EQ(ResultOf(std::move(request)).output->ToJson(),
            R"({"p":5,"out":{"r":7}})");
}

TEST(StateTest, TellsHowAnErrorWouldBeRetried) {
  TestStateRequest request = RequestFor(kTaskState, R"({"p": 5})");
  request.mock_error = {.error = "R", .cause = "c"};
  request.retrier_retry_count = 1;
  const TestStateResult result = ResultOf(request);
  EXPECT_EQ(result.status, "RETRIABLE");
  EXPECT_EQ(result.error, "R");
  EXPECT_EQ(result.inspection_data->Find("errorDetails")->ToJson(),
            R"({"retryIndex":0,"retryBackoffIntervalSeconds":4})");
  request.retrier_retry_count = 2;
  EXPECT_EQ(ResultOf(std::move(request)).status, "FAILED");
}

TEST(StateTest, TellsHowAnErrorWouldBeCaught) {
  TestStateRequest request = RequestFor(kTaskState, R"({"p": 5})");
  request.mock_error = {.error = "C", .cause = "c"};
  const TestStateResult result = ResultOf(std::move(request));
  EXPECT_EQ(result.status, "CAUGHT_ERROR");
  EXPECT_EQ(result.next_state, "Caught");
  EXPECT_EQ(result.output->ToJson(), R"({"Error":"C","Cause":"c"})");
  EXPECT_EQ(result.inspection_data->Find("errorDetails")->ToJson(),
            R"({"catchIndex":1})");
}

constexpr char kMapState[] = R"({"Type": "Map", "ItemsPath": "$.xs",
    "ToleratedFailureCount": 1, "End": true, "ItemProcessor": {
    "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
    "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}})";

TEST(StateTest, NeedsAMockForAMap) {
  EXPECT_EQ(
      StateTest::Start(RequestFor(kMapState, R"({"xs": [1]})")).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(StateTest, MocksAMap) {
  TestStateRequest request = RequestFor(kMapState, R"({"xs": [1, 2]})");
  request.mock_result = ParsedData("[3, 4]");
  const TestStateResult result = ResultOf(request);
  EXPECT_EQ(result.output->ToJson(), "[3,4]");
  EXPECT_EQ(result.inspection_data->Find("afterItemsPath")->string(), "[1,2]");
  EXPECT_EQ(result.inspection_data->Find("toleratedFailureCount")->integer(),
            1);
  request.map_iteration_failure_count = 2;
  EXPECT_EQ(ResultOf(std::move(request)).error,
            "States.ExceedToleratedFailureThreshold");
}

TEST(StateTest, FindsAStateOfAWholeMachine) {
  TestStateRequest request = RequestFor("", "{}");
  request.machine = ParsedMachine(R"({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Next": "B"},
      "B": {"Type": "Fail", "Error": "E", "Cause": "c"}}})");
  request.state_name = "B";
  const TestStateResult result = ResultOf(request);
  EXPECT_EQ(result.status, "FAILED");
  EXPECT_EQ(result.error, "E");
  EXPECT_EQ(result.cause, "c");
  request.state_name = "C";
  EXPECT_FALSE(StateTest::Start(std::move(request)).ok());
}

TEST(StateTest, UsesTheGivenContextAndVariables) {
  TestStateRequest request = RequestFor(
      R"({"Type": "Pass", "Parameters": {"c.$": "$$.k", "v.$": "$v"},
          "End": true})",
      "{}");
  request.context = ParsedData(R"({"k": 1})");
  request.variables = ParsedData(R"({"v": 2})");
  EXPECT_EQ(ResultOf(std::move(request)).output->ToJson(), R"({"c":1,"v":2})");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
