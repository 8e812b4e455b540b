#include "local/stepfunctions/execution/test_state.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
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

// Why the state can't be tested so.
std::string Refusal(const TestStateRequest& request) {
  return std::string(StateTest::Start(request).status().message());
}

TEST(StateTest, TakesMocksWhereTheyAreNeededOrCanBe) {
  TestStateRequest map = RequestFor(kMapState, R"({"xs": [1]})");
  EXPECT_EQ(Refusal(map),
            "TestState API does not support Map or Parallel states. Supported "
            "state types include: [Task, Wait, Pass, Succeed, Fail, Choice]");
  map.map_iteration_failure_count = 0;
  EXPECT_EQ(Refusal(map),
            "TestState does not support MapIterationFailureCount when a mock "
            "is not specified.");
  TestStateRequest pass = RequestFor(R"({"Type": "Pass", "End": true})", "{}");
  pass.mock_error = {.error = "E", .cause = "c"};
  EXPECT_EQ(Refusal(pass),
            "State type 'Pass' is not supported when a mock is specified");
  TestStateRequest task = RequestFor(kTaskState, R"({"p": 5})");
  task.mock_result = ParsedData("{}");
  task.reveals_secrets = true;
  EXPECT_EQ(
      Refusal(task),
      "TestState does not support RevealSecrets when a mock is specified.");
  task.mock_error = {.error = "E", .cause = "c"};
  EXPECT_EQ(Refusal(task),
            "A test mock should have only one of the following fields: "
            "[result, errorOutput].");
}

TEST(StateTest, ChecksTheMockedResult) {
  TestStateRequest map = RequestFor(kMapState, R"({"xs": [1]})");
  map.mock_result = ParsedData("{}");
  EXPECT_EQ(Refusal(map), "Mocked result must be an array.");
  map.mock_result = ParsedData("[1]");
  map.map_iteration_failure_count = 2;
  EXPECT_EQ(Refusal(map),
            "Map iteration failure count must be less than or equal to the "
            "number of Map iterations");
  TestStateRequest writer = RequestFor(
      R"({"Type": "Map", "End": true, "ItemProcessor": {
          "ProcessorConfig": {"Mode": "DISTRIBUTED",
                              "ExecutionType": "STANDARD"},
          "StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}},
          "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject",
                           "Parameters": {"Bucket": "b", "Prefix": "p"}}})",
      "[1]");
  writer.mock_result = ParsedData("[1]");
  EXPECT_EQ(Refusal(writer), "Mocked result must be a JSON object.");
  TestStateRequest parallel = RequestFor(
      R"({"Type": "Parallel", "End": true, "Branches": [
          {"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}},
          {"StartAt": "B", "States": {"B": {"Type": "Pass", "End": true}}}]})",
      "{}");
  parallel.mock_result = ParsedData("{}");
  EXPECT_EQ(Refusal(parallel), "Mocked result must be an array.");
  parallel.mock_result = ParsedData("[1]");
  EXPECT_EQ(Refusal(parallel),
            "Mocked result must contain the same number of items as number of "
            "Parallel branches.");
}

TEST(StateTest, ChecksTheContextObject) {
  const auto refusal = [](const char* resource, const char* context) {
    TestStateRequest request = RequestFor(
        absl::StrCat(R"({"Type": "Task", "End": true, "Resource": ")", resource,
                     R"("})"),
        "{}");
    request.mock_result = ParsedData("{}");
    request.context = ParsedData(context);
    return Refusal(request);
  };
  constexpr char kPlain[] = "arn:aws:states:::sqs:sendMessage";
  constexpr char kCallback[] =
      "arn:aws:states:::sqs:sendMessage.waitForTaskToken";
  constexpr absl::string_view kInvalid = "Invalid Context object provided: ";
  EXPECT_EQ(refusal(kPlain, R"({"Execution": {"Id": 1}})"),
            absl::StrCat(kInvalid, "Execution.Id must be a string"));
  EXPECT_EQ(refusal(kPlain, R"({"Map": {}})"),
            absl::StrCat(kInvalid,
                         "'Map' field is not supported when mocking a Context "
                         "object"));
  EXPECT_EQ(refusal(kPlain, R"({"Execution": {"pokemon": "x"}})"),
            absl::StrCat(kInvalid, "Field 'pokemon' is not allowed"));
  EXPECT_EQ(refusal(kPlain, R"({"Pokedex": {}})"),
            absl::StrCat(kInvalid, "Field 'Pokedex' is not allowed"));
  EXPECT_EQ(refusal(kPlain, R"({"Task": {"Token": "t"}})"),
            absl::StrCat(kInvalid,
                         "Context object contains 'Task' when state is not a "
                         "Task state with a '.sync' or '.waitForTaskToken' "
                         "service integration pattern"));
  EXPECT_EQ(refusal(kCallback, R"({"Task": {"Token": "t"},
                                   "Execution": {"RoleArn": null,
                                                 "Input": {"a": 1}}})"),
            "");
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
  EXPECT_EQ(Refusal(request), "State not found in definition");
}

TEST(StateTest, UsesTheGivenContextAndVariables) {
  TestStateRequest request = RequestFor(
      R"({"Type": "Pass", "Parameters": {"c.$": "$$.State.Name", "v.$": "$v"},
          "End": true})",
      "{}");
  request.context = ParsedData(R"({"State": {"Name": "n"}})");
  request.variables = ParsedData(R"({"v": 2})");
  EXPECT_EQ(ResultOf(std::move(request)).output->ToJson(),
            R"({"c":"n","v":2})");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
