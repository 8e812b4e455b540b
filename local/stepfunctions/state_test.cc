// TestState: one state, run by itself.

#include <json/json.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/random/random.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/answers.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution/test_state.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/stepfunctions.h"

namespace byoshin::local::stepfunctions {
namespace {

// The name of a state that is given without a state machine.
constexpr char kTestedState[] = "StateName";
constexpr char kTestName[] = "TestState";

absl::StatusOr<Data> ReadJson(JsonFields& fields, absl::string_view name,
                              absl::string_view otherwise) {
  const std::string text =
      fields.FindText(name).value_or(std::string(otherwise));
  if (!fields.status().ok()) return fields.status();
  absl::StatusOr<Data> data = Data::Parse(text);
  if (data.ok()) return data;
  return ApiError("InvalidExecutionInput",
                  absl::StrCat("Invalid State Machine Execution Input: '",
                               data.status().message(), "'"));
}

InspectionLevel ReadInspectionLevel(JsonFields& fields) {
  const std::string level = fields.Text("inspectionLevel");
  if (level == "TRACE") return InspectionLevel::kTrace;
  return level == "DEBUG" ? InspectionLevel::kDebug : InspectionLevel::kInfo;
}

absl::Status ReadMock(JsonFields& fields, TestStateRequest& request) {
  std::optional<JsonFields> mock = fields.Object("mock");
  if (!mock.has_value()) return fields.status();
  if (const std::optional<std::string> result = mock->FindText("result")) {
    absl::StatusOr<Data> data = Data::Parse(*result);
    if (!data.ok()) {
      return ValidationError("Mocked result must be valid JSON");
    }
    request.mock_result = *std::move(data);
  }
  if (std::optional<JsonFields> error = mock->Object("errorOutput")) {
    request.mock_error = {.error = error->FindText("error"),
                          .cause = error->FindText("cause")};
  }
  return fields.status();
}

absl::Status ReadStateConfiguration(JsonFields& fields,
                                    TestStateRequest& request) {
  std::optional<JsonFields> given = fields.Object("stateConfiguration");
  if (!given.has_value()) return fields.status();
  request.retrier_retry_count =
      given->FindInteger("retrierRetryCount").value_or(0);
  request.map_iteration_failure_count =
      given->FindInteger("mapIterationFailureCount");
  request.error_caused_by_state = given->FindText("errorCausedByState");
  if (const auto data = given->FindText("mapItemReaderData")) {
    absl::StatusOr<Data> parsed = Data::Parse(*data);
    if (!parsed.ok()) {
      return ValidationError(absl::StrCat("mapItemReaderData is not JSON: ",
                                          parsed.status().message()));
    }
    request.map_item_reader_data = *std::move(parsed);
  }
  return fields.status();
}

// A whole state machine has states.
bool IsWholeMachine(const std::string& definition) {
  const absl::StatusOr<Data> data = Data::Parse(definition);
  return data.ok() && data->Find("States") != nullptr;
}

absl::Status ReadDefinition(JsonFields& fields, ExpressionCompiler* compiler,
                            TestStateRequest& request) {
  const std::string definition = fields.Text("definition");
  request.state_name = fields.Text("stateName");
  if (!fields.status().ok()) return fields.status();
  const ParseOptions options{.compiler = compiler};
  const bool whole = IsWholeMachine(definition);
  if (!whole) request.state_name = kTestedState;
  if (request.state_name.empty()) {
    return ValidationError(
        "State name must be provided when the definition is a state machine.");
  }
  ParsedDefinition parsed =
      whole ? ParseDefinition(definition, options)
            : ParseSingleState(definition, request.state_name, options);
  if (parsed.machine == nullptr) {
    return ApiError("InvalidDefinition",
                    InvalidDefinitionMessage(parsed.errors()));
  }
  request.machine = std::move(parsed.machine);
  return absl::OkStatus();
}

absl::StatusOr<TestStateRequest> ReadTest(const OperationContext& context,
                                          JsonFields& fields) {
  TestStateRequest request;
  request.now = context.now;
  request.inspection_level = ReadInspectionLevel(fields);
  request.reveals_secrets = fields.Flag("revealSecrets");
  const std::string role = fields.Text("roleArn");
  absl::Status good =
      ReadDefinition(fields, context.catalog.compiler(), request);
  if (good.ok()) good = ReadMock(fields, request);
  if (good.ok()) good = ReadStateConfiguration(fields, request);
  if (good.ok() && !role.empty()) good = CheckRoleArn(role);
  if (!good.ok()) return good;
  absl::StatusOr<Data> input = ReadJson(fields, "input", "{}");
  if (!input.ok()) return input.status();
  request.input = *std::move(input);
  absl::StatusOr<Data> variables = ReadJson(fields, "variables", "{}");
  if (!variables.ok()) return variables.status();
  request.variables = *std::move(variables);
  if (fields.Has("context")) {
    absl::StatusOr<Data> given = ReadJson(fields, "context", "{}");
    if (!given.ok()) return given.status();
    request.context = *std::move(given);
  }
  const Place place = PlaceOf(context.call);
  const std::string name = random::NewUuid();
  request.info.arn = StatesArn(place, kExpressResource,
                               absl::StrCat(kTestName, ":", name, ":", name));
  request.info.name = name;
  request.info.state_machine_arn =
      StatesArn(place, kMachineResource, kTestName);
  request.info.state_machine_name = kTestName;
  request.info.role_arn = role;
  return request;
}

Answer TestAnswer(const TestStateResult& result) {
  ObjectBuilder answer;
  const auto set = [&](absl::string_view name,
                       const std::optional<std::string>& text) {
    if (text.has_value()) answer.Set(name, Data::String(*text));
  };
  if (result.output.has_value()) {
    answer.Set("output", Data::String(result.output->ToJson()));
  }
  set("error", result.error);
  set("cause", result.cause);
  if (result.inspection_data.has_value()) {
    answer.Set("inspectionData", *result.inspection_data);
  }
  set("nextState", result.next_state);
  answer.Set("status", Data::String(result.status));
  return {.content_type = kJson10ContentType,
          .body = std::move(answer).Build().ToJson()};
}

}  // namespace

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_TestState.html
void StepFunctions::TestState(Request request) {
  loop_.Submit([this, request = std::move(request)]() mutable -> AfterCommit {
    const AnswerFunction& answer = request.answer;
    absl::StatusOr<TestStateRequest> read =
        ReadTest(ContextFor(*request.call), request.fields);
    if (!read.ok()) {
      answer(ToAnswer(read.status()));
      return nullptr;
    }
    const std::string role_arn = read->info.role_arn;
    absl::StatusOr<StateTest> started = StateTest::Start(*std::move(read));
    if (!started.ok()) {
      answer(ToAnswer(ValidationError(started.status().message())));
      return nullptr;
    }
    auto test = std::make_shared<StateTest>(*std::move(started));
    const TaskRequest* task = test->task();
    if (task == nullptr) {
      answer(TestAnswer(test->result()));
      return nullptr;
    }
    if (role_arn.empty()) {
      answer(ToAnswer(ValidationError(
          "RoleArn must be specified when testing a Task state")));
      return nullptr;
    }
    world_.tasks.Run(
        {.resource = task->resource,
         .arguments = task->arguments,
         .role_arn = task->role_arn.value_or(role_arn),
         .execution_arn = task->execution_arn,
         .region = request.call->region,
         .account_id = request.call->caller.account_id},
        [gate = gate_, test, answer, id = task->id](TaskOutcome outcome) {
          gate->Submit([test, answer, id,
                        outcome = std::move(outcome)]() -> AfterCommit {
            if (const auto* failure = std::get_if<TaskFailure>(&outcome)) {
              test->Finish(TaskFailed{.task = id,
                                      .error = failure->error,
                                      .cause = failure->cause});
            } else {
              test->Finish(
                  TaskSucceeded{.task = id, .output = std::get<Data>(outcome)});
            }
            answer(TestAnswer(test->result()));
            return nullptr;
          });
        });
    return nullptr;
  });
}

}  // namespace byoshin::local::stepfunctions
