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
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/stepfunctions/answers.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution/test_state.h"
#include "local/stepfunctions/fields.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/stepfunctions.h"

namespace byoshin::local::stepfunctions {
namespace {

// The name of a state that is given without a state machine.
constexpr char kTestedState[] = "StateName";
constexpr char kTestName[] = "TestState";

absl::StatusOr<Data> ReadJson(Fields& fields, absl::string_view name,
                              absl::string_view otherwise) {
  const std::string text =
      fields.Has(name) ? fields.Text(name, {}) : std::string(otherwise);
  absl::StatusOr<Data> data = Data::Parse(text);
  if (data.ok()) return data;
  return ApiError("InvalidExecutionInput",
                  absl::StrCat("Invalid State Machine Execution Input: '",
                               data.status().message(), "'"));
}

InspectionLevel ReadInspectionLevel(Fields& fields) {
  const std::string level =
      fields.Choice("inspectionLevel", {"INFO", "DEBUG", "TRACE"});
  if (level == "TRACE") return InspectionLevel::kTrace;
  return level == "DEBUG" ? InspectionLevel::kDebug : InspectionLevel::kInfo;
}

std::optional<std::string> OptionalText(const Json::Value& object,
                                        const char* name) {
  if (!object.isObject() || !object[name].isString()) return std::nullopt;
  return object[name].asString();
}

absl::Status ReadMock(Fields& fields, TestStateRequest& request) {
  const Json::Value& mock = fields.Object("mock");
  if (mock.isNull()) return absl::OkStatus();
  if (const std::optional<std::string> result = OptionalText(mock, "result")) {
    absl::StatusOr<Data> data = Data::Parse(*result);
    if (!data.ok()) {
      return ValidationError("Mocked result must be valid JSON");
    }
    request.mock_result = *std::move(data);
  }
  if (mock["errorOutput"].isObject()) {
    request.mock_error = {.error = OptionalText(mock["errorOutput"], "error"),
                          .cause = OptionalText(mock["errorOutput"], "cause")};
  }
  return absl::OkStatus();
}

absl::Status ReadStateConfiguration(Fields& fields, TestStateRequest& request) {
  const Json::Value& given = fields.Object("stateConfiguration");
  if (given.isNull()) return absl::OkStatus();
  if (given["retrierRetryCount"].isInt64()) {
    request.retrier_retry_count = given["retrierRetryCount"].asInt64();
  }
  if (given["mapIterationFailureCount"].isInt64()) {
    request.map_iteration_failure_count =
        given["mapIterationFailureCount"].asInt64();
  }
  request.error_caused_by_state = OptionalText(given, "errorCausedByState");
  if (const auto data = OptionalText(given, "mapItemReaderData")) {
    absl::StatusOr<Data> parsed = Data::Parse(*data);
    if (!parsed.ok()) {
      return ValidationError(absl::StrCat("mapItemReaderData is not JSON: ",
                                          parsed.status().message()));
    }
    request.map_item_reader_data = *std::move(parsed);
  }
  return absl::OkStatus();
}

// A whole state machine has states.
bool IsWholeMachine(const std::string& definition) {
  const absl::StatusOr<Data> data = Data::Parse(definition);
  return data.ok() && data->Find("States") != nullptr;
}

absl::Status ReadDefinition(Fields& fields, ExpressionCompiler* compiler,
                            TestStateRequest& request) {
  const std::string definition =
      fields.Required("definition", {.min = 1, .max = kMaxDefinitionLength});
  request.state_name = fields.Text("stateName", {.max = kMaxNameLength});
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
                                          Fields& fields) {
  TestStateRequest request;
  request.now = context.now;
  request.inspection_level = ReadInspectionLevel(fields);
  request.reveals_secrets = fields.Flag("revealSecrets");
  const std::string role =
      fields.Text("roleArn", {.min = 1, .max = kMaxArnLength});
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
void StepFunctions::TestState(Call call, AnswerFunction answer) {
  loop_.Submit([this, call = std::make_shared<Call>(std::move(call)),
                answer = std::move(answer)]() -> AfterCommit {
    Fields fields(*call);
    absl::StatusOr<TestStateRequest> request =
        ReadTest(ContextFor(*call), fields);
    if (!request.ok()) {
      answer(ToAnswer(request.status()));
      return nullptr;
    }
    const std::string role_arn = request->info.role_arn;
    absl::StatusOr<StateTest> started = StateTest::Start(*std::move(request));
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
         .region = call->region,
         .account_id = call->caller.account_id},
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
