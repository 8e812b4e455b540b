// One execution of a state machine: deterministic, without I/O, threads or a
// clock. The caller tells it what happens (ExecutionInput), and does what it
// asks for (Effects).
//
//   Execution::Started started =
//       Execution::Start(machine, info, input, clock.Now());
//   Log(started.effects);  // commit, then:
//   for (const TaskRequest& task : started.effects.tasks) Run(task);
//   ...
//   Effects effects = started.execution->Apply(
//       {.time = clock.Now(), .what = TaskSucceeded{task.id, output}});
//
// All chance comes from a generator that is seeded with the execution's ARN,
// and all times from the inputs. So the log of an execution is its start and
// its inputs. To resume after a crash, start it again, apply the logged inputs,
// ignore the effects, and do what Pending() returns: it names every task that
// has no result, and every timer.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_EXECUTION_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_EXECUTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"

namespace byoshin::local::stepfunctions {

// The size of a state's input, output or result, in bytes of UTF-8.
inline constexpr size_t kMaxDataBytes = 262144;
// An EXPRESS execution times out after this time.
inline constexpr absl::Duration kMaxExpressDuration = absl::Minutes(5);

enum class StateMachineType { kStandard, kExpress };

enum class ExecutionStatus {
  kRunning,
  kSucceeded,
  kFailed,
  kTimedOut,
  kAborted,
};

// As the API spells it: "RUNNING", "TIMED_OUT".
absl::string_view ExecutionStatusName(ExecutionStatus status);

// What is known of an execution before it starts.
struct ExecutionInfo {
  std::string arn;
  std::string name;
  std::string state_machine_arn;
  std::string state_machine_name;
  std::string role_arn;
  StateMachineType type = StateMachineType::kStandard;
  // Empty unless the execution was started through an alias or a version.
  std::string state_machine_alias_arn;
  std::string state_machine_version_arn;
};

// A task to be run.
struct TaskRequest {
  TaskId id = 0;
  TaskResource resource;
  // For a Lambda function by its ARN and for an activity, the input.
  Data arguments;
  // The role that the state's Credentials name; otherwise, the execution's.
  std::optional<std::string> role_arn;
  // Of .waitForTaskToken tasks and activities; also `$$.Task.Token`.
  std::string token;
  std::optional<absl::Duration> timeout;
  std::optional<absl::Duration> heartbeat;
  std::string state_name;
  // The ARN of the execution that the task belongs to: the execution's own, or
  // that of a child of a distributed Map.
  std::string execution_arn;
  // In Pending(): what TaskSubmitted has brought. Such a task must not be
  // submitted again.
  std::optional<Data> submitted;
  // In Pending(): a worker has fetched the activity's task.
  bool started = false;
};

struct Timer {
  TimerId id = 0;
  absl::Time time;
};

// How an execution has ended.
struct ExecutionEnd {
  ExecutionStatus status = ExecutionStatus::kRunning;
  absl::Time time = {};
  // If it has succeeded.
  std::optional<Data> output = {};
  std::optional<std::string> error = {};
  std::optional<std::string> cause = {};
};

// What an execution wants from outside.
struct Effects {
  // Run these. Each ends with TaskSucceeded or TaskFailed.
  std::vector<TaskRequest> tasks;
  // Their results are no longer wanted.
  std::vector<TaskId> cancelled_tasks;
  // Apply TimerFired at these times. A timer that has become useless is in
  // `cancelled_timers`; if it fires all the same, that changes nothing.
  std::vector<Timer> timers;
  std::vector<TimerId> cancelled_timers;
  // There is more work: apply GoOn soon. Other inputs may come before it.
  bool go_on = false;
  // The number of events that were added to Execution::events().
  size_t new_events = 0;
  // Set when the execution has ended.
  std::optional<ExecutionEnd> end;
};

// A child execution of a distributed Map.
struct ChildExecution {
  std::string arn;
  std::string name;
  ExecutionStatus status = ExecutionStatus::kRunning;
  absl::Time start_time;
  std::optional<absl::Time> stop_time;
  int64_t item_count = 0;
  Data input;
  std::optional<Data> output;
  std::optional<std::string> error;
  std::optional<std::string> cause;
  int64_t redrive_count = 0;
  // Of the children of a Map Run, only the first 1000 to succeed keep theirs.
  std::vector<HistoryEvent> events;
};

// A run of a distributed Map state.
struct MapRun {
  std::string arn;
  // The Map state's Label, or a generated one.
  std::string label;
  // The execution that has started it: possibly a child of another Map Run.
  std::string execution_arn;
  // Valid as long as the execution's definition.
  absl::string_view state_name;
  ExecutionStatus status = ExecutionStatus::kRunning;
  absl::Time start_time;
  std::optional<absl::Time> stop_time;
  int64_t max_concurrency = 0;
  int64_t tolerated_failure_count = 0;
  double tolerated_failure_percentage = 0;
  int64_t redrive_count = 0;
  // Items by status, as DescribeMapRun has them.
  struct Counts {
    int64_t total = 0;
    int64_t pending = 0;
    int64_t running = 0;
    int64_t succeeded = 0;
    int64_t failed = 0;
    int64_t timed_out = 0;
    int64_t aborted = 0;
  };
  Counts items;
  Counts executions;
  // How many children have ended, over all redrives.
  size_t ended_children = 0;
  // In the order in which they have started.
  std::vector<std::shared_ptr<const ChildExecution>> children;
};

// Not thread-safe.
class Execution {
 public:
  struct Started;

  static Started Start(std::shared_ptr<const StateMachine> machine,
                       ExecutionInfo info, Data input, absl::Time now);

  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution();

  // An input that does not fit any more (the result of a cancelled task, a
  // cancelled timer, a stop after the end) has no effect.
  Effects Apply(const ExecutionInput& input);

  // What has been asked for and has not happened yet.
  Effects Pending() const;

  // True while the task's result is wanted.
  bool HasTask(TaskId task) const;

  const ExecutionInfo& info() const;
  const Data& input() const;
  absl::Time start_time() const;
  ExecutionStatus status() const;
  // Set if status() is not kRunning.
  const std::optional<ExecutionEnd>& end() const;
  // In the order of their ids, which begin with 1.
  const std::vector<HistoryEvent>& events() const;

  // Empty if the execution can be redriven; otherwise, the reason, such as
  // "Execution is RUNNING".
  std::string RedriveRefusal() const;
  int64_t redrive_count() const;
  std::optional<absl::Time> redrive_time() const;

  const std::vector<std::unique_ptr<MapRun>>& map_runs() const;

  // The interpreter; TestState uses it, too.
  class Machine;

 private:
  explicit Execution(std::unique_ptr<Machine> machine);

  std::unique_ptr<Machine> machine_;
};

struct Execution::Started {
  std::unique_ptr<Execution> execution;
  Effects effects;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_EXECUTION_H_
