#include "local/stepfunctions/execution/execution.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {
namespace {

// Stands in for JSONata: `undefined` has no result, and everything else is the
// member of `$states` that it names.
class FakeExpression : public Expression {
 public:
  explicit FakeExpression(absl::string_view text) : text_(text) {}

  ExpressionResult Evaluate(const ExpressionBindings& bindings) const override {
    const Data* member = bindings.states.Find(text_);
    if (member == nullptr) return std::optional<Data>();
    return std::optional<Data>(*member);
  }
  bool references_result() const override { return text_ == "result"; }
  bool references_error_output() const override {
    return text_ == "errorOutput";
  }

 private:
  const std::string text_;
};

class FakeCompiler : public ExpressionCompiler {
 public:
  std::variant<std::shared_ptr<const Expression>,
               std::vector<ExpressionMistake>>
  Compile(absl::string_view text) override {
    return std::make_shared<const FakeExpression>(text);
  }
};

// In JSONata.
SimulatedRun JsonataRun(absl::string_view states, TaskMocks mocks = {}) {
  FakeCompiler compiler;
  return SimulatedRun(ParsedMachine(absl::StrCat(R"({"QueryLanguage": "JSONata",
                                     "StartAt": "S", "States": )",
                                                 states, "}"),
                                    &compiler),
                      ParsedData(R"({"n": 1})"), std::move(mocks));
}

// A machine with one state, which is the last one.
std::string OneState(absl::string_view fields) {
  return absl::StrCat(R"({"StartAt": "S", "States": {"S": {"End": true, )",
                      fields, "}}}");
}

TEST(Execution, PassesTheInputThroughStates) {
  SimulatedRun run(R"({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Result": 1, "ResultPath": "$.a", "Next": "B"},
      "B": {"Type": "Pass", "End": true}}})",
                   R"({"x": true})");
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED {"x":true,"a":1})");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted PassStateEntered PassStateExited "
            "PassStateEntered PassStateExited ExecutionSucceeded");
}

TEST(Execution, GivesTheFirstTwoEventsNoPreviousOne) {
  SimulatedRun run(OneState(R"("Type": "Pass")"), "{}");
  const std::vector<HistoryEvent>& events = run.execution().events();
  ASSERT_EQ(events.size(), 4);
  EXPECT_EQ(events[0].previous_id, 0);
  EXPECT_EQ(events[1].previous_id, 0);
  EXPECT_EQ(events[2].previous_id, 2);
  EXPECT_EQ(events[3].previous_id, 3);
}

TEST(Execution, WaitsUntilTheTimerFires) {
  SimulatedRun run(OneState(R"("Type": "Wait", "Seconds": 31536000)"), "{}");
  EXPECT_EQ(run.Outcome(), "RUNNING");
  const Effects pending = run.execution().Pending();
  ASSERT_EQ(pending.timers.size(), 1);
  EXPECT_EQ(pending.timers[0].time, SimulatedStart() + absl::Hours(24 * 365));
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED {}");
  EXPECT_EQ(run.execution().end()->time,
            SimulatedStart() + absl::Hours(24 * 365));
}

TEST(Execution, DoesNotSetATimerForAWaitThatIsOver) {
  SimulatedRun run(
      OneState(R"("Type": "Wait", "Timestamp": "2020-01-01T00:00:00Z")"), "{}");
  EXPECT_EQ(run.Outcome(), "SUCCEEDED {}");
}

TEST(Execution, FailsWithTheErrorAndCauseOfAFailState) {
  SimulatedRun run(R"({"StartAt": "F", "States": {
      "F": {"Type": "Fail", "Error": "E", "Cause": "because"}}})",
                   "{}");
  EXPECT_EQ(run.Outcome(), "FAILED E: because");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted FailStateEntered ExecutionFailed");
}

TEST(Execution, NamesTheStateInTheCauseOfARuntimeError) {
  SimulatedRun run(OneState(R"("Type": "Pass", "InputPath": "$.missing")"),
                   "{}");
  EXPECT_EQ(run.Outcome(),
            "FAILED States.Runtime: An error occurred while executing the "
            "state 'S' (entered at the event id #2). Invalid path '$.missing' "
            ": No results for path: $['missing']");
}

TEST(Execution, FailsIfNoChoiceMatches) {
  SimulatedRun run(R"({"StartAt": "C", "States": {
      "C": {"Type": "Choice", "Choices": [
          {"Variable": "$.n", "NumericEquals": 1, "Next": "P"}]},
      "P": {"Type": "Succeed"}}})",
                   R"({"n": 2})");
  EXPECT_EQ(run.execution().end()->error, "States.NoChoiceMatched");
}

TEST(Execution, KeepsVariablesAcrossStates) {
  SimulatedRun run(R"({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Assign": {"x.$": "$.n"}, "Next": "B"},
      "B": {"Type": "Pass", "Result": {}, "Next": "C"},
      "C": {"Type": "Pass", "Parameters": {"x.$": "$x"}, "End": true}}})",
                   R"({"n": 7})");
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED {"x":7})");
}

TEST(Execution, ListsAssignedVariablesInTheExitedEvent) {
  SimulatedRun run(
      OneState(R"("Type": "Pass", "Assign": {"x": [1], "y": "z"})"), "{}");
  EXPECT_NE(
      run.EventsJson().find(R"("assignedVariables":{"x":"[1]","y":"\"z\""})"),
      std::string::npos)
      << run.EventsJson();
}

TEST(Execution, RefusesAResultThatIsTooLarge) {
  SimulatedRun run(
      OneState(absl::StrCat(R"("Type": "Pass", "Result": ")",
                            std::string(kMaxDataBytes - 1, 'a'), "\"")),
      "{}");
  EXPECT_EQ(run.Outcome(),
            "FAILED States.DataLimitExceeded: The state/task 'S' returned a "
            "result with a size exceeding the maximum number of bytes service "
            "limit.");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted PassStateEntered ExecutionFailed");
}

TEST(Execution, AcceptsAResultOfTheMaximumSize) {
  SimulatedRun run(
      OneState(absl::StrCat(R"("Type": "Pass", "Result": ")",
                            std::string(kMaxDataBytes - 2, 'a'), "\"")),
      "{}");
  EXPECT_EQ(run.execution().status(), ExecutionStatus::kSucceeded);
}

TEST(Execution, RefusesDataThatIsNestedTooDeeply) {
  SimulatedRun run(R"json({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Parameters": {"a.$": "$"}, "Next": "C"},
      "C": {"Type": "Choice", "Choices": [
          {"Variable": "$.x", "IsPresent": true, "Next": "D"}],
          "Default": "A"},
      "D": {"Type": "Succeed"}}})json",
                   "{}");
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            "FAILED States.Runtime: An error occurred while executing the "
            "state 'A' (entered at the event id #3998). The value of the field "
            "'Parameters' is nested more than 1000 deep.");

  SimulatedRun variables(R"json({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Assign": {"v": 1}, "Next": "B"},
      "B": {"Type": "Pass", "Assign": {"v.$": "States.Array($v)"},
            "Next": "C"},
      "C": {"Type": "Choice", "Choices": [
          {"Variable": "$.x", "IsPresent": true, "Next": "D"}],
          "Default": "B"},
      "D": {"Type": "Succeed"}}})json",
                         "{}");
  variables.RunToEnd();
  EXPECT_EQ(variables.execution().end()->error, "States.Runtime");
  EXPECT_LT(variables.execution().events().size(), 5000);
}

TEST(Execution, RefusesInputThatDoublesWithEveryBranch) {
  std::string branch = R"({"StartAt": "P", "States": {"P": {"Type": "Pass",
                           "End": true}}})";
  for (int i = 0; i < 40; ++i) {
    branch = absl::StrCat(R"({"StartAt": "P)", i, R"(", "States": {"P)", i,
                          R"(": {"Type": "Parallel", "End": true,
                             "Parameters": {"a.$": "$", "b.$": "$"},
                             "Branches": [)",
                          branch, "]}}}");
  }
  SimulatedRun run(branch, R"({"text": "0123456789"})");
  run.RunToEnd();
  EXPECT_EQ(run.execution().end()->error, "States.DataLimitExceeded");
}

TEST(Execution, YieldsInALongLoopAndFailsAtTheLimitOfEvents) {
  SimulatedRun run(R"({"StartAt": "A", "States": {
      "A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Pass", "Next": "C"},
      "C": {"Type": "Choice", "Choices": [
          {"Variable": "$.x", "IsPresent": true, "Next": "D"}],
          "Default": "A"},
      "D": {"Type": "Succeed"}}})",
                   "{}");
  EXPECT_EQ(run.Outcome(), "RUNNING");
  EXPECT_TRUE(run.execution().Pending().go_on);
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(),
            "FAILED States.Runtime: The execution reached the maximum number "
            "of history events (25000).");
  EXPECT_EQ(run.execution().events().size(), 25000);
  EXPECT_EQ(run.execution().events().back().id, 25000);
  EXPECT_EQ(run.execution().RedriveRefusal(),
            "Execution history event limit exceeded");
}

TEST(Execution, TimesOutAsAWhole) {
  SimulatedRun run(R"({"StartAt": "W", "TimeoutSeconds": 10, "States": {
      "W": {"Type": "Wait", "Seconds": 11, "End": true}}})",
                   "{}");
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "TIMED_OUT States.Timeout");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted WaitStateEntered ExecutionTimedOut");
  EXPECT_EQ(run.now(), SimulatedStart() + absl::Seconds(10));
}

TEST(Execution, CancelsItsTimerWhenItEnds) {
  SimulatedRun run(R"({"StartAt": "W", "TimeoutSeconds": 10, "States": {
      "W": {"Type": "Wait", "Seconds": 3, "End": true}}})",
                   "{}");
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "SUCCEEDED {}");
  EXPECT_TRUE(run.execution().Pending().timers.empty());
}

TEST(Execution, StopsWithTheErrorAndCauseOfTheRequest) {
  SimulatedRun run(OneState(R"("Type": "Task",
      "Resource": "arn:aws:states:::sqs:sendMessage")"),
                   "{}");
  run.Apply(StopRequested{.error = "E", .cause = "enough"});
  EXPECT_EQ(run.Outcome(), "ABORTED E: enough");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted TaskStateEntered TaskScheduled TaskStarted "
            "ExecutionAborted");
  ASSERT_EQ(run.cancelled_tasks().size(), 1);
  EXPECT_FALSE(run.execution().HasTask(run.cancelled_tasks()[0]));
  // What comes too late changes nothing.
  run.Apply(TaskSucceeded{.task = run.cancelled_tasks()[0], .output = Data()});
  run.Apply(StopRequested{});
  EXPECT_EQ(run.Outcome(), "ABORTED E: enough");
}

TEST(Execution, OfExpressTypeTimesOutAfterFiveMinutes) {
  SimulatedRun run(ParsedMachine(OneState(R"("Type": "Wait", "Seconds": 999)")),
                   Data::EmptyObject(), {},
                   SimulatedInfo(StateMachineType::kExpress));
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), "TIMED_OUT States.Timeout");
  EXPECT_EQ(run.now(), SimulatedStart() + kMaxExpressDuration);
}

TEST(Execution, ShowsTheContextObject) {
  SimulatedRun run(OneState(R"("Type": "Pass", "Parameters": {"c.$": "$$"})"),
                   "[1]");
  EXPECT_EQ(
      run.Outcome(),
      R"(SUCCEEDED {"c":{"Execution":{"Id":"arn:aws:states:us-east-1:)"
      R"(123456789012:execution:machine:run","Input":[1],"StartTime":)"
      R"("2024-01-01T00:00:00.000Z","Name":"run","RoleArn":"arn:aws:iam::)"
      R"(123456789012:role/machine","RedriveCount":0},"StateMachine":{"Id":)"
      R"("arn:aws:states:us-east-1:123456789012:stateMachine:machine","Name":)"
      R"("machine"},"State":{"Name":"S","EnteredTime":)"
      R"("2024-01-01T00:00:00.000Z"}}})");
}

TEST(Execution, GivesTheSameUuidWhenItIsReplayed) {
  SimulatedRun run(OneState(R"json("Type": "Pass",
                        "Parameters": {"id.$": "States.UUID()"})json"),
                   "{}");
  const std::string outcome = run.Outcome();
  run.Restart();
  EXPECT_EQ(run.Outcome(), outcome);
}

TEST(JsonataExecution, ComputesItsOutput) {
  SimulatedRun run = JsonataRun(
      R"({"S": {"Type": "Pass", "Output": {"in": "{% input %}"}, "End": true}})");
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED {"in":{"n":1}})");
}

TEST(JsonataExecution, GivesTheResultOfATask) {
  SimulatedRun run = JsonataRun(
      R"({"S": {"Type": "Task", "Arguments": "{% input %}",
          "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
          "Output": ["{% result %}", "{% input %}"], "End": true}})",
      [](const TaskRequest&) { return TaskMock::Succeed(Data::Integer(2)); });
  run.RunToEnd();
  EXPECT_EQ(run.Outcome(), R"(SUCCEEDED [2,{"n":1}])");
}

TEST(JsonataExecution, ReportsAnEvaluationThatFails) {
  SimulatedRun run = JsonataRun(
      R"({"S": {"Type": "Pass", "Output": {"o": "{% undefined %}"},
                "End": true}})");
  EXPECT_EQ(run.Outcome(),
            "FAILED States.QueryEvaluationError: An error occurred while "
            "executing the state 'S' (entered at the event id #2). The JSONata "
            "expression 'undefined' specified for the field 'Output/o' "
            "returned nothing (undefined).");
  EXPECT_EQ(run.EventTypes(),
            "ExecutionStarted PassStateEntered EvaluationFailed "
            "ExecutionFailed");
  const HistoryEvent& event = run.execution().events()[2];
  EXPECT_EQ(event.previous_id, 0);
  EXPECT_EQ(event.details->location, "Output/o");
  EXPECT_EQ(event.name, "S");
}

TEST(JsonataExecution, CatchesAnEvaluationThatFails) {
  SimulatedRun run = JsonataRun(
      R"({"S": {"Type": "Task", "Arguments": "{% undefined %}",
          "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
          "Catch": [{"ErrorEquals": ["States.QueryEvaluationError"],
                     "Output": "{% errorOutput %}", "Next": "E"}],
          "End": true},
          "E": {"Type": "Succeed"}})");
  EXPECT_EQ(run.execution().status(), ExecutionStatus::kSucceeded);
  EXPECT_EQ(run.execution().end()->output->Find("Error")->string(),
            "States.QueryEvaluationError");
}

TEST(ExecutionHistory, LeavesOutDataIfNotAskedFor) {
  SimulatedRun run(OneState(R"("Type": "Pass")"), R"({"secret": 1})");
  for (const HistoryEvent& event : run.execution().events()) {
    const std::string json =
        HistoryEventJson(event, ExecutionData::kExcluded).ToJson();
    EXPECT_EQ(json.find("secret"), std::string::npos) << json;
  }
  EXPECT_EQ(
      HistoryEventJson(run.execution().events()[2], ExecutionData::kIncluded)
          .ToJson(),
      R"({"timestamp":1.7040672E9,"type":"PassStateExited","id":3,)"
      R"("previousEventId":2,"stateExitedEventDetails":{"name":"S",)"
      R"("output":"{\"secret\":1}","outputDetails":)"
      R"({"truncated":false}}})");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
