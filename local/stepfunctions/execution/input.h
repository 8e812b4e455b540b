// What can happen to an execution from outside. The start of an execution and
// the list of its inputs are its durable log: applying them again gives the
// same state, effects and history.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_INPUT_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_INPUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

// Unique within an execution, over all attempts.
using TaskId = uint64_t;
using TimerId = uint64_t;

// The service has accepted the request of a .sync or .waitForTaskToken task, or
// the activity has accepted its task (`output` has no meaning then).
struct TaskSubmitted {
  TaskId task = 0;
  Data output;
};

struct TaskSucceeded {
  TaskId task = 0;
  Data output;
};

// With the error States.Timeout, the task has timed out. With States.Runtime,
// the execution fails; `cause` lacks the state's name and event, which are
// added.
struct TaskFailed {
  TaskId task = 0;
  std::optional<std::string> error;
  std::optional<std::string> cause;
};

// SendTaskHeartbeat.
struct TaskHeartbeat {
  TaskId task = 0;
};

// A worker has fetched the activity's task.
struct ActivityStarted {
  TaskId task = 0;
  std::string worker_name;
};

struct TimerFired {
  TimerId timer = 0;
};

// StopExecution.
struct StopRequested {
  std::optional<std::string> error;
  std::optional<std::string> cause;
};

// RedriveExecution.
struct Redriven {};

// Does the work that the previous input left over (Effects::go_on).
struct GoOn {};

// UpdateMapRun. What is absent does not change.
struct MapRunUpdated {
  std::string map_run_arn;
  std::optional<int64_t> max_concurrency;
  std::optional<int64_t> tolerated_failure_count;
  std::optional<double> tolerated_failure_percentage;
};

struct ExecutionInput {
  absl::Time time;
  std::variant<TaskSubmitted, TaskSucceeded, TaskFailed, TaskHeartbeat,
               ActivityStarted, TimerFired, StopRequested, Redriven, GoOn,
               MapRunUpdated>
      what;
};

// A compact form for the log.
std::string SerializeInput(const ExecutionInput& input);
absl::StatusOr<ExecutionInput> ParseInput(absl::string_view text);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_INPUT_H_
