// The checks of TestState before it runs a state.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/execution/test_state.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"

namespace byoshin::local::stepfunctions {
namespace {

// Parallel and Map states have branches and iterations, which are not run.
bool NeedsMock(const State& state) {
  return state.type == StateType::kParallel || state.type == StateType::kMap;
}

absl::Status CheckMockedResult(const Data& result, const State& state) {
  if (state.type == StateType::kMap && state.map->result_writer.has_value()) {
    return result.is_object() ? absl::OkStatus()
                              : absl::InvalidArgumentError(
                                    "Mocked result must be a JSON object.");
  }
  if (!result.is_array()) {
    return absl::InvalidArgumentError("Mocked result must be an array.");
  }
  if (state.type == StateType::kParallel &&
      result.size() != state.branches.size()) {
    return absl::InvalidArgumentError(
        "Mocked result must contain the same number of items as number of "
        "Parallel branches.");
  }
  return absl::OkStatus();
}

absl::Status CheckMock(const TestStateRequest& request, const State& state) {
  const bool mocked =
      request.mock_result.has_value() || request.mock_error.has_value();
  if (!mocked) {
    if (request.map_iteration_failure_count.has_value()) {
      return absl::InvalidArgumentError(
          "TestState does not support MapIterationFailureCount when a mock is "
          "not specified.");
    }
    if (!NeedsMock(state)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "TestState API does not support Map or Parallel states. Supported "
        "state types include: [Task, Wait, Pass, Succeed, Fail, Choice]");
  }
  if (request.mock_result.has_value() && request.mock_error.has_value()) {
    return absl::InvalidArgumentError(
        "A test mock should have only one of the following fields: [result, "
        "errorOutput].");
  }
  if (state.type != StateType::kTask && !NeedsMock(state)) {
    return absl::InvalidArgumentError(
        absl::StrCat("State type '", NameOf(state.type),
                     "' is not supported when a mock is specified"));
  }
  if (request.reveals_secrets) {
    return absl::InvalidArgumentError(
        "TestState does not support RevealSecrets when a mock is specified.");
  }
  if (!request.mock_result.has_value() || !NeedsMock(state)) {
    return absl::OkStatus();
  }
  const Data& result = *request.mock_result;
  if (absl::Status good = CheckMockedResult(result, state); !good.ok()) {
    return good;
  }
  if (result.is_array() && request.map_iteration_failure_count.value_or(0) >
                               static_cast<int64_t>(result.size())) {
    return absl::InvalidArgumentError(
        "Map iteration failure count must be less than or equal to the number "
        "of Map iterations");
  }
  return absl::OkStatus();
}

absl::Status InvalidContext(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("Invalid Context object provided: ", why));
}

// The fields of the context object, separated by spaces.
struct ContextObject {
  absl::string_view name;
  absl::string_view texts;
  absl::string_view others{};
};
constexpr ContextObject kContextObjects[] = {
    {"Execution", "Id Name RoleArn StartTime RedriveTime",
     "Input RedriveCount"},
    {"State", "EnteredTime Name", "RetryCount"},
    {"StateMachine", "Id Name"},
    {"Task", "Token"}};

bool IsOneOf(absl::string_view name, absl::string_view names) {
  for (const absl::string_view known : absl::StrSplit(names, ' ')) {
    if (known == name) return true;
  }
  return false;
}

absl::Status CheckContextObject(const ContextObject& object,
                                const Data& value) {
  for (const Data::Member& member : value.members()) {
    if (IsOneOf(member.name(), object.texts)) {
      if (member.value.is_string() || member.value.is_null()) continue;
      return InvalidContext(
          absl::StrCat(object.name, ".", member.name(), " must be a string"));
    }
    if (!IsOneOf(member.name(), object.others)) {
      return InvalidContext(
          absl::StrCat("Field '", member.name(), "' is not allowed"));
    }
  }
  return absl::OkStatus();
}

bool WaitsForOthers(const State& state) {
  return state.type == StateType::kTask &&
         ParseTaskResource(state.resource).pattern !=
             TaskPattern::kRequestResponse;
}

absl::Status CheckContext(const Data& context, const State& state) {
  for (const Data::Member& member : context.members()) {
    const absl::string_view name = member.name();
    if (name == "Map") {
      return InvalidContext(
          "'Map' field is not supported when mocking a Context object");
    }
    if (name == "Task" && !WaitsForOthers(state)) {
      return InvalidContext(
          "Context object contains 'Task' when state is not a Task state with "
          "a '.sync' or '.waitForTaskToken' service integration pattern");
    }
    const ContextObject* known = nullptr;
    for (const ContextObject& object : kContextObjects) {
      if (object.name == name) known = &object;
    }
    if (known == nullptr) {
      return InvalidContext(absl::StrCat("Field '", name, "' is not allowed"));
    }
    if (absl::Status good = CheckContextObject(*known, member.value);
        !good.ok()) {
      return good;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTest(const TestStateRequest& request, const State& state) {
  if (absl::Status mock = CheckMock(request, state); !mock.ok()) return mock;
  return request.context.has_value() ? CheckContext(*request.context, state)
                                     : absl::OkStatus();
}

}  // namespace byoshin::local::stepfunctions
