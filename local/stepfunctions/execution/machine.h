// The interpreter. See execution.h for what it does; this is how:
//
// A Strand is a sequence of states. Strands that can go on are in a queue; one
// step takes the first one and enters and runs one state. A state that has to
// wait (for a task, a timer, or other strands) leaves the queue until an input
// or a strand brings it back. There is no recursion over states, and one input
// does at most kMaxSteps steps.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_MACHINE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/evaluation.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {

// The history of an EXPRESS execution has no limit on AWS, but the execution
// ends after five minutes. Here, a loop can do much more in that time.
inline constexpr int64_t kMaxExpressHistoryEvents = 100000;
// The number of states that one input runs at most.
inline constexpr int kMaxSteps = 1000;
// Iterations of an inline Map, and children of a distributed one, that run at
// the same time at most.
inline constexpr size_t kMaxInlineConcurrency = 40;
inline constexpr size_t kMaxDistributedConcurrency = 1000;
// Of a Map Run, this many children keep their history.
inline constexpr size_t kMaxChildHistories = 1000;

// The variables of an execution, together.
inline constexpr size_t kMaxVariablesBytes = size_t{10} << 20;

class Execution::Machine {
 public:
  Machine(std::shared_ptr<const StateMachine> definition, ExecutionInfo info,
          Data input, absl::Time now);

  Effects Start();
  Effects Apply(const ExecutionInput& input);
  Effects Pending() const;
  std::string RedriveRefusal() const;

  // For TestState: runs `state` alone, with the hooks, until it ends or has
  // asked for a task.
  Effects StartTest(const State& state, Data variables, StateTestHooks* hooks);

  bool HasTask(TaskId task) const { return tasks_.contains(task); }
  const ExecutionInfo& info() const { return info_; }
  const Data& input() const { return input_; }
  absl::Time start_time() const { return start_time_; }
  const std::optional<ExecutionEnd>& end() const { return end_; }
  const std::vector<HistoryEvent>& events() const { return events_; }
  int64_t redrive_count() const { return redrive_count_; }
  std::optional<absl::Time> redrive_time() const { return redrive_time_; }
  const std::vector<std::unique_ptr<MapRun>>& map_runs() const {
    return map_runs_;
  }

 private:
  enum class TimerKind { kExecution, kWait, kRetry, kTask, kHeartbeat };
  struct TimerEntry {
    TimerKind kind;
    absl::Time time;
    // Null for kExecution.
    Strand* strand;
  };
  struct TaskEntry {
    TaskRequest request;
    Strand* strand;
    TimerId timeout_timer = 0;
    TimerId heartbeat_timer = 0;
  };

  // ---- machine.cc: inputs, the queue, timers, the end ----
  void On(const TaskSubmitted& input);
  void On(const TaskSucceeded& input);
  void On(const TaskFailed& input);
  void On(const TaskHeartbeat& input);
  void On(const ActivityStarted& input);
  void On(const TimerFired& input);
  void On(const StopRequested& input);
  void On(const Redriven& input);
  void On(const GoOn& input);
  void On(const MapRunUpdated& input);

  Effects TakeEffects(size_t events_before);
  void RunQueue();
  void Step(Strand& strand);
  // Puts the strand into the queue.
  void Continue(Strand& strand, Strand::Phase phase);
  void RemoveFromQueue(const Strand& strand);
  TimerId SetTimer(TimerKind kind, absl::Time time, Strand* strand);
  void CancelTimer(TimerId& timer);
  void SetExecutionTimer();
  void EndExecution(ExecutionEnd end, HistoryEventType type);
  // Stops the strand and all below it, where they are.
  void Stop(Strand& strand);
  // A history has become full: its execution fails.
  void FailFullRun();

  // ---- events.cc: history and context ----
  // Adds an event after the strand's last one, and makes it the last one.
  HistoryEvent& AddEvent(Strand& strand, HistoryEventType type);
  // Adds an event after `previous`.
  HistoryEvent& AddEventAfter(Run& run, int64_t previous,
                              HistoryEventType type);
  void SetEventData(Run& run, HistoryEvent& event, const Data& data);
  void AddStarted(const Strand& root);
  void AddExited(Strand& strand, const Data& output, const Data& assigned);
  // The context object, with `map_item` as $$.Map.Item.
  Data ContextOf(const Strand& strand, const Data& map_item) const;
  Scope ScopeOf(const Strand& strand, Data scope_input);
  // Makes what the run adds to the context object. Of the execution itself, it
  // is made when it is first needed, which for many machines is never.
  void SetRunContext(Run& run, absl::string_view name, const Data& run_input,
                     absl::string_view machine_arn,
                     absl::string_view machine_name) const;

  // ---- states.cc: the states that do not wait for others ----
  void Enter(Strand& strand);
  void Attempt(Strand& strand);
  void RunPass(Strand& strand);
  void RunChoice(Strand& strand);
  void RunWait(Strand& strand);
  void RunSucceed(Strand& strand);
  void RunFail(Strand& strand);
  // The state's input after InputPath.
  Evaluated<Data> EffectiveInput(Strand& strand);
  // For states whose result is their input: Wait and Succeed.
  void FinishWithInput(Strand& strand);
  // Assign, ResultSelector, ResultPath and OutputPath, or Assign and Output.
  void FinishWithResult(Strand& strand, const Data& result);
  // JSONPath: ResultSelector, ResultPath and OutputPath.
  Evaluated<Data> PlaceResult(Strand& strand, const Data& result);
  // Leaves the state. `next` is null at the end of the strand's machine.
  void Exit(Strand& strand, Data output, const Data& assigned,
            const State* next, absl::string_view next_name);
  void EndStrand(Strand& strand, Data output);
  // Tells TestState.
  void Inspect(absl::string_view name, const Data& value) {
    if (hooks_ != nullptr) {
      hooks_->inspection.Set(name, Data::String(value.ToJson()));
    }
  }

  // ---- failures.cc ----
  // With the state's name and the event at which it was entered.
  std::string CauseOf(const Strand& strand, absl::string_view cause) const;
  // Adds EvaluationFailed if it is a query that has failed.
  Failure EvaluationFailure(Strand& strand, const EvaluationError& error);
  void FailEvaluation(Strand& strand, const EvaluationError& error);
  // Retries, catches, or fails the strand.
  void HandleFailure(Strand& strand, Failure failure);
  bool Retry(Strand& strand, const Failure& failure);
  bool Catch(Strand& strand, const Failure& failure);
  void AddFailureEvents(Strand& strand, const Failure& failure);
  void FailStrand(Strand& strand, Failure failure);
  // More than a state's input, output or result can have.
  static bool TooLarge(const Data& data) {
    return data.JsonSize() > kMaxDataBytes || data.depth() > kMaxDataDepth;
  }
  // `name` has returned too much.
  Failure DataLimitFailure(absl::string_view name) const;

  // ---- tasks.cc ----
  void RunTask(Strand& strand);
  Evaluated<TaskRequest> MakeTask(Strand& strand);
  void AddTaskScheduled(Strand& strand, const TaskRequest& request);
  void StartTaskTimers(TaskEntry& entry);
  void RestartHeartbeat(TaskEntry& entry);
  void FinishTask(Strand& strand, const TaskResource& resource,
                  const Data& output);
  // `type` is the event, unless the task has timed out.
  void FailTask(Strand& strand, const TaskResource& resource, Failure failure,
                HistoryEventType type);
  // Forgets the task and its timers.
  TaskEntry TakeTask(TaskId task);
  void CancelTask(Strand& strand);
  void TimeOutTask(Strand& strand);

  // ---- children.cc: Parallel and Map ----
  void RunParallel(Strand& strand);
  void RunMap(Strand& strand);
  // The items of the Map.
  Evaluated<Data> PrepareMap(Strand& strand, Children& children);
  // How many run at the same time.
  std::optional<EvaluationError> LimitConcurrency(Strand& strand,
                                                  Children& children);
  // How many may fail, and the batches.
  std::optional<EvaluationError> LimitFailures(Strand& strand,
                                               Children& children);
  // Starts iterations until the limit is reached. `previous` is the event
  // before theirs.
  void StartIterations(Strand& strand, int64_t previous);
  // False if the Map state has failed by it.
  bool StartIteration(Strand& strand, size_t index, int64_t previous);
  Evaluated<Data> IterationInput(Strand& strand, size_t index, Data& map_item);
  Evaluated<Data> ItemInput(Strand& strand, size_t index, Data& map_item);
  void AddChild(Strand& strand, std::unique_ptr<Strand> child);
  void RemoveChild(Strand& child);
  void FinishChild(Strand& child, Data output);
  void FailChild(Strand& child, Failure failure);
  // Stops the branches or iterations that are running, with …Aborted events.
  void AbortChildren(Strand& strand);
  void FinishChildren(Strand& strand);

  // ---- map_runs.cc: distributed Map ----
  std::optional<EvaluationError> MakeBatches(Strand& strand,
                                             Children& children);
  void StartMapRun(Strand& strand);
  std::unique_ptr<Strand> MakeChildExecution(Strand& strand, size_t index,
                                             Data child_input);
  void EndChildExecution(Strand& child, ExecutionStatus status,
                         std::optional<Data> output, const Failure& failure);
  void FailChildExecution(Strand& child, const Failure& failure);
  static Failure ToleranceExceeded();
  // The result of a child execution as the ResultWriter formats it.
  Data WrittenResult(const Strand& child, Data output) const;
  static bool WritesFlattened(const State& state);
  void EndMapRun(Strand& strand, ExecutionStatus status);
  // Moves a child execution from one status to another in the counts.
  static void Recount(MapRun& run, int64_t items, ExecutionStatus from,
                      ExecutionStatus to);
  // The strand whose Map state it is, among `strand` and those below it.
  Strand* FindMapStrand(Strand& strand, const MapRun& run) const;

  // ---- test_state.cc: what TestState wants to know ----
  void InspectTask(const Strand& strand, const Data& effective,
                   const Data& arguments);
  void InspectMap(const Strand& strand, const Children& children);
  // True if the result of a Parallel or Map state is mocked. `children` is null
  // for Parallel.
  bool FinishWithMock(Strand& strand, const Children* children);

  // ---- redrive.cc ----
  // Continues the strand where it was stopped, after `event`.
  void Resume(Strand& strand, int64_t event);
  void ResumeMapRun(Strand& strand);

  std::shared_ptr<const StateMachine> definition_;
  ExecutionInfo info_;
  Data input_;
  absl::Time start_time_;
  // The time of the current input.
  absl::Time now_;
  Random random_;
  std::string region_;
  std::vector<HistoryEvent> events_;
  Run run_;
  std::unique_ptr<Strand> root_;
  // The queue is [queue_head_, end).
  std::vector<Strand*> queue_;
  size_t queue_head_ = 0;
  std::map<TimerId, TimerEntry> timers_;
  std::map<TaskId, TaskEntry> tasks_;
  TimerId last_timer_ = 0;
  TaskId last_task_ = 0;
  TimerId execution_timer_ = 0;
  std::vector<std::unique_ptr<MapRun>> map_runs_;
  std::optional<ExecutionEnd> end_;
  int64_t redrive_count_ = 0;
  std::optional<absl::Time> redrive_time_;
  Effects effects_;
  // Set once an event did not fit. The event is `dropped_event_`.
  Run* full_run_ = nullptr;
  HistoryEvent dropped_event_;
  StateTestHooks* hooks_ = nullptr;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_MACHINE_H_
