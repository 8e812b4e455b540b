// The events of an execution's history, as GetExecutionHistory returns them.
//
//   for (const HistoryEvent& event : execution.events()) {
//     page.push_back(HistoryEventJson(event, ExecutionData::kIncluded));
//   }
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_HISTORY_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

// A history has at most this many events; the execution fails with the last.
inline constexpr int64_t kMaxHistoryEvents = 25000;

// The data in a history is at most about this large; later events lack theirs.
inline constexpr size_t kMaxHistoryBytes = size_t{128} << 20;

enum class HistoryEventType : uint8_t {
  kActivityFailed,
  kActivityScheduled,
  kActivityStarted,
  kActivitySucceeded,
  kActivityTimedOut,
  kChoiceStateEntered,
  kChoiceStateExited,
  kEvaluationFailed,
  kExecutionAborted,
  kExecutionFailed,
  kExecutionRedriven,
  kExecutionStarted,
  kExecutionSucceeded,
  kExecutionTimedOut,
  kFailStateEntered,
  kLambdaFunctionFailed,
  kLambdaFunctionScheduled,
  kLambdaFunctionStarted,
  kLambdaFunctionSucceeded,
  kLambdaFunctionTimedOut,
  kMapIterationAborted,
  kMapIterationFailed,
  kMapIterationStarted,
  kMapIterationSucceeded,
  kMapRunAborted,
  kMapRunFailed,
  kMapRunRedriven,
  kMapRunStarted,
  kMapRunSucceeded,
  kMapStateAborted,
  kMapStateEntered,
  kMapStateExited,
  kMapStateFailed,
  kMapStateStarted,
  kMapStateSucceeded,
  kParallelStateAborted,
  kParallelStateEntered,
  kParallelStateExited,
  kParallelStateFailed,
  kParallelStateStarted,
  kParallelStateSucceeded,
  kPassStateEntered,
  kPassStateExited,
  kSucceedStateEntered,
  kSucceedStateExited,
  kTaskFailed,
  kTaskScheduled,
  kTaskStarted,
  kTaskStateAborted,
  kTaskStateEntered,
  kTaskStateExited,
  kTaskSubmitFailed,
  kTaskSubmitted,
  kTaskSucceeded,
  kTaskTimedOut,
  kWaitStateAborted,
  kWaitStateEntered,
  kWaitStateExited,
};

// As the API spells it: "PassStateEntered".
absl::string_view HistoryEventTypeName(HistoryEventType type);

// The details that few events have. Which of them an event has depends on its
// type.
struct HistoryEventDetails {
  std::optional<std::string> error;
  std::optional<std::string> cause;
  // Tasks: "lambda" and "invoke". For Lambda functions and activities by ARN,
  // `resource` is the ARN.
  std::string resource_type;
  std::string resource;
  std::string region;
  std::optional<int64_t> timeout_seconds;
  std::optional<int64_t> heartbeat_seconds;
  // The role that the task's Credentials name.
  std::optional<std::string> credentials_role_arn;
  std::string worker_name;
  // ExecutionStarted: the state machine's role, and what was started.
  std::string role_arn;
  std::string state_machine_alias_arn;
  std::string state_machine_version_arn;
  std::string map_run_arn;
  // ExecutionRedriven and MapRunRedriven.
  int64_t redrive_count = 0;
  // MapStateStarted: the number of items. MapIteration…: the index.
  int64_t number = 0;
  // EvaluationFailed: the field, and its state's name is `name`.
  std::string location;
  // …StateExited: an object of the variables that the state has assigned.
  std::optional<Data> assigned_variables;
};

struct HistoryEvent {
  int64_t id = 0;
  int64_t previous_id = 0;
  absl::Time time;
  HistoryEventType type = HistoryEventType::kExecutionStarted;
  // The state's name. Valid as long as the execution's definition.
  absl::string_view name;
  // The input, output or parameters; std::nullopt for events that have none.
  std::optional<Data> data;
  // The data was left out, since the history has become too large.
  bool data_truncated = false;
  // Null for most events.
  std::shared_ptr<const HistoryEventDetails> details;
};

enum class ExecutionData { kIncluded, kExcluded };

// The event as GetExecutionHistory returns it; `timestamp` is the number of
// seconds since 1970, with milliseconds.
Data HistoryEventJson(const HistoryEvent& event, ExecutionData execution_data);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_HISTORY_H_
