#include "local/stepfunctions/execution/history.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

using Type = HistoryEventType;

// In the order of HistoryEventType.
constexpr auto kTypeNames = std::to_array<absl::string_view>({
    "ActivityFailed",
    "ActivityScheduled",
    "ActivityStarted",
    "ActivitySucceeded",
    "ActivityTimedOut",
    "ChoiceStateEntered",
    "ChoiceStateExited",
    "EvaluationFailed",
    "ExecutionAborted",
    "ExecutionFailed",
    "ExecutionRedriven",
    "ExecutionStarted",
    "ExecutionSucceeded",
    "ExecutionTimedOut",
    "FailStateEntered",
    "LambdaFunctionFailed",
    "LambdaFunctionScheduled",
    "LambdaFunctionStarted",
    "LambdaFunctionSucceeded",
    "LambdaFunctionTimedOut",
    "MapIterationAborted",
    "MapIterationFailed",
    "MapIterationStarted",
    "MapIterationSucceeded",
    "MapRunAborted",
    "MapRunFailed",
    "MapRunRedriven",
    "MapRunStarted",
    "MapRunSucceeded",
    "MapStateAborted",
    "MapStateEntered",
    "MapStateExited",
    "MapStateFailed",
    "MapStateStarted",
    "MapStateSucceeded",
    "ParallelStateAborted",
    "ParallelStateEntered",
    "ParallelStateExited",
    "ParallelStateFailed",
    "ParallelStateStarted",
    "ParallelStateSucceeded",
    "PassStateEntered",
    "PassStateExited",
    "SucceedStateEntered",
    "SucceedStateExited",
    "TaskFailed",
    "TaskScheduled",
    "TaskStarted",
    "TaskStateAborted",
    "TaskStateEntered",
    "TaskStateExited",
    "TaskSubmitFailed",
    "TaskSubmitted",
    "TaskSucceeded",
    "TaskTimedOut",
    "WaitStateAborted",
    "WaitStateEntered",
    "WaitStateExited",
});

// The member in which the details are: "stateEnteredEventDetails"; empty if the
// type has none.
absl::string_view DetailsName(Type type) {
  switch (type) {
    case Type::kActivityFailed:
      return "activityFailedEventDetails";
    case Type::kActivityScheduled:
      return "activityScheduledEventDetails";
    case Type::kActivityStarted:
      return "activityStartedEventDetails";
    case Type::kActivitySucceeded:
      return "activitySucceededEventDetails";
    case Type::kActivityTimedOut:
      return "activityTimedOutEventDetails";
    case Type::kChoiceStateEntered:
    case Type::kFailStateEntered:
    case Type::kMapStateEntered:
    case Type::kParallelStateEntered:
    case Type::kPassStateEntered:
    case Type::kSucceedStateEntered:
    case Type::kTaskStateEntered:
    case Type::kWaitStateEntered:
      return "stateEnteredEventDetails";
    case Type::kChoiceStateExited:
    case Type::kMapStateExited:
    case Type::kParallelStateExited:
    case Type::kPassStateExited:
    case Type::kSucceedStateExited:
    case Type::kTaskStateExited:
    case Type::kWaitStateExited:
      return "stateExitedEventDetails";
    case Type::kEvaluationFailed:
      return "evaluationFailedEventDetails";
    case Type::kExecutionAborted:
      return "executionAbortedEventDetails";
    case Type::kExecutionFailed:
      return "executionFailedEventDetails";
    case Type::kExecutionRedriven:
      return "executionRedrivenEventDetails";
    case Type::kExecutionStarted:
      return "executionStartedEventDetails";
    case Type::kExecutionSucceeded:
      return "executionSucceededEventDetails";
    case Type::kExecutionTimedOut:
      return "executionTimedOutEventDetails";
    case Type::kLambdaFunctionFailed:
      return "lambdaFunctionFailedEventDetails";
    case Type::kLambdaFunctionScheduled:
      return "lambdaFunctionScheduledEventDetails";
    case Type::kLambdaFunctionStarted:
    case Type::kMapRunAborted:
    case Type::kMapRunSucceeded:
    case Type::kMapStateAborted:
    case Type::kMapStateFailed:
    case Type::kMapStateSucceeded:
    case Type::kParallelStateAborted:
    case Type::kParallelStateFailed:
    case Type::kParallelStateStarted:
    case Type::kParallelStateSucceeded:
    case Type::kTaskStateAborted:
    case Type::kWaitStateAborted:
      return "";
    case Type::kLambdaFunctionSucceeded:
      return "lambdaFunctionSucceededEventDetails";
    case Type::kLambdaFunctionTimedOut:
      return "lambdaFunctionTimedOutEventDetails";
    case Type::kMapIterationAborted:
      return "mapIterationAbortedEventDetails";
    case Type::kMapIterationFailed:
      return "mapIterationFailedEventDetails";
    case Type::kMapIterationStarted:
      return "mapIterationStartedEventDetails";
    case Type::kMapIterationSucceeded:
      return "mapIterationSucceededEventDetails";
    case Type::kMapRunFailed:
      return "mapRunFailedEventDetails";
    case Type::kMapRunRedriven:
      return "mapRunRedrivenEventDetails";
    case Type::kMapRunStarted:
      return "mapRunStartedEventDetails";
    case Type::kMapStateStarted:
      return "mapStateStartedEventDetails";
    case Type::kTaskFailed:
      return "taskFailedEventDetails";
    case Type::kTaskScheduled:
      return "taskScheduledEventDetails";
    case Type::kTaskStarted:
      return "taskStartedEventDetails";
    case Type::kTaskSubmitFailed:
      return "taskSubmitFailedEventDetails";
    case Type::kTaskSubmitted:
      return "taskSubmittedEventDetails";
    case Type::kTaskSucceeded:
      return "taskSucceededEventDetails";
    case Type::kTaskTimedOut:
      return "taskTimedOutEventDetails";
  }
  return "";
}

// The member in which the event's data is: "input", "output" or "parameters".
absl::string_view DataName(Type type) {
  switch (type) {
    case Type::kTaskScheduled:
      return "parameters";
    case Type::kActivityScheduled:
    case Type::kExecutionStarted:
    case Type::kLambdaFunctionScheduled:
      return "input";
    default:
      return DetailsName(type) == "stateEnteredEventDetails" ? "input"
                                                             : "output";
  }
}

bool HasName(Type type) {
  const absl::string_view details = DetailsName(type);
  return details == "stateEnteredEventDetails" ||
         details == "stateExitedEventDetails";
}

Data Truncated(bool truncated) {
  ObjectBuilder details;
  details.Set("truncated", Data::Boolean(truncated));
  return std::move(details).Build();
}

void SetText(absl::string_view name, absl::string_view value,
             ObjectBuilder& object) {
  if (!value.empty()) object.Set(name, Data::String(value));
}

void SetOptionalText(absl::string_view name,
                     const std::optional<std::string>& value,
                     ObjectBuilder& object) {
  if (value) object.Set(name, Data::String(*value));
}

void SetNumber(absl::string_view name, const std::optional<int64_t>& value,
               ObjectBuilder& object) {
  if (value) object.Set(name, Data::Integer(*value));
}

void SetData(const HistoryEvent& event, ExecutionData execution_data,
             ObjectBuilder& details) {
  if (!event.data && !event.data_truncated) return;
  const absl::string_view name = DataName(event.type);
  const bool included = execution_data == ExecutionData::kIncluded;
  if (event.data && included) {
    details.Set(name, Data::String(event.data->ToJson()));
  }
  // The parameters of tasks are never truncated.
  if (event.type == Type::kTaskScheduled) return;
  details.Set(absl::StrCat(name, "Details"), Truncated(event.data_truncated));
}

void SetVariables(const Data& variables, ExecutionData execution_data,
                  ObjectBuilder& details) {
  if (variables.size() == 0) return;
  if (execution_data == ExecutionData::kIncluded) {
    ObjectBuilder texts;
    for (const Data::Member& variable : variables.members()) {
      texts.Set(variable.key, Data::String(variable.value.ToJson()));
    }
    details.Set("assignedVariables", std::move(texts).Build());
  }
  details.Set("assignedVariablesDetails", Truncated(false));
}

// The members whose names differ by the type of the event.
void SetByType(const HistoryEvent& event, const HistoryEventDetails& from,
               ObjectBuilder& details) {
  switch (event.type) {
    case Type::kMapStateStarted:
      details.Set("length", Data::Integer(from.number));
      break;
    case Type::kMapIterationAborted:
    case Type::kMapIterationFailed:
    case Type::kMapIterationStarted:
    case Type::kMapIterationSucceeded:
      SetText("name", event.name, details);
      details.Set("index", Data::Integer(from.number));
      break;
    case Type::kExecutionRedriven:
    case Type::kMapRunRedriven:
      details.Set("redriveCount", Data::Integer(from.redrive_count));
      break;
    case Type::kEvaluationFailed:
      SetText("state", event.name, details);
      SetText("location", from.location, details);
      break;
    default:
      break;
  }
}

void SetDetails(const HistoryEvent& event, const HistoryEventDetails& from,
                ExecutionData execution_data, ObjectBuilder& details) {
  SetByType(event, from, details);
  SetOptionalText("error", from.error, details);
  SetOptionalText("cause", from.cause, details);
  SetText("resourceType", from.resource_type, details);
  SetText("resource", from.resource, details);
  SetText("region", from.region, details);
  SetNumber("timeoutInSeconds", from.timeout_seconds, details);
  SetNumber("heartbeatInSeconds", from.heartbeat_seconds, details);
  if (from.credentials_role_arn) {
    ObjectBuilder credentials;
    credentials.Set("roleArn", Data::String(*from.credentials_role_arn));
    details.Set("taskCredentials", std::move(credentials).Build());
  }
  SetText("workerName", from.worker_name, details);
  SetText("roleArn", from.role_arn, details);
  SetText("stateMachineAliasArn", from.state_machine_alias_arn, details);
  SetText("stateMachineVersionArn", from.state_machine_version_arn, details);
  SetText("mapRunArn", from.map_run_arn, details);
  if (from.assigned_variables) {
    SetVariables(*from.assigned_variables, execution_data, details);
  }
}

}  // namespace

absl::string_view HistoryEventTypeName(HistoryEventType type) {
  return kTypeNames[static_cast<size_t>(type)];
}

Data HistoryEventJson(const HistoryEvent& event, ExecutionData execution_data) {
  ObjectBuilder json;
  json.Set(
      "timestamp",
      Data::Double(static_cast<double>(absl::ToUnixMillis(event.time)) / 1000));
  json.Set("type", Data::String(HistoryEventTypeName(event.type)));
  json.Set("id", Data::Integer(event.id));
  json.Set("previousEventId", Data::Integer(event.previous_id));
  const absl::string_view name = DetailsName(event.type);
  if (name.empty()) return std::move(json).Build();
  ObjectBuilder details;
  if (HasName(event.type)) SetText("name", event.name, details);
  SetData(event, execution_data, details);
  if (event.details) SetDetails(event, *event.details, execution_data, details);
  json.Set(name, std::move(details).Build());
  return std::move(json).Build();
}

}  // namespace byoshin::local::stepfunctions
