// The parts of a running execution. Only the interpreter uses them.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_STRAND_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_STRAND_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/evaluation.h"

namespace byoshin::local::stepfunctions {

// As the context object has times: 2019-03-26T20:14:13.192Z
Data ContextTime(absl::Time time);

// The error with which a state fails.
struct Failure {
  std::optional<std::string> error = {};
  std::optional<std::string> cause = {};
  // The state itself could not be run, as opposed to its task, its branches or
  // its iterations.
  bool of_evaluation = false;
  // The field whose evaluation failed, if known.
  std::string location = {};
};

struct Strand;
struct Children;

// What has a history of its own: the execution, or a child of a distributed
// Map.
struct Run {
  std::string arn;
  std::vector<HistoryEvent>* events = nullptr;
  int64_t max_events = kMaxHistoryEvents;
  // The size of the data in the events. Data that an event shares with the one
  // before it counts once: `last_tree` is where the latter is.
  size_t bytes = 0;
  const void* last_tree = nullptr;
  // The strand that it began with.
  Strand* owner = nullptr;
  // $$.Execution and $$.StateMachine.
  Data execution_context;
  Data machine_context;
  // Null for the execution itself.
  ChildExecution* child = nullptr;
};

// A sequence of states: the execution's own, a branch of a Parallel state, or
// an iteration of a Map state.
struct Strand {
  enum class Phase {
    // The next step enters `state`.
    kEnter,
    // The next step runs `state`, which has been entered.
    kAttempt,
    // Waits for a timer: that of a Wait state, or of a retry.
    kWaiting,
    kRetrying,
    // Waits for a task.
    kTask,
    // Waits for branches or iterations.
    kChildren,
    // Has failed, or was stopped. A redrive continues from here.
    kStopped,
  };

  Strand(const StateMachine* its_machine, Run* its_run, Strand* its_parent)
      : machine(its_machine), run(its_run), parent(its_parent) {}

  const StateMachine* machine;
  Run* run;
  // Null for the execution's own.
  Strand* parent;
  // The run, if this is a child execution's own strand.
  std::unique_ptr<Run> own_run;
  // The index of the branch, the iteration or the batch.
  int64_t index = 0;
  // Where it is in Children::strands.
  size_t position = 0;
  int64_t last_event = 0;
  // All variables that are visible.
  Data variables = Data::EmptyObject();
  // $$.Map.Item; null outside of Map states.
  Data map_item;

  // The current state.
  const State* state = nullptr;
  Phase phase = Phase::kEnter;
  Data input;
  absl::Time entered_time;
  int64_t entered_event = 0;
  // The event before that one.
  int64_t event_before = 0;
  // By retrier.
  std::vector<int64_t> attempts;
  int64_t retry_count = 0;
  TimerId timer = 0;
  TaskId task = 0;
  // $$.Task.Token of the current attempt.
  std::string token;
  std::unique_ptr<Children> children;
};

// The branches or iterations of a Parallel or Map state that is running.
struct Children {
  // Those that have started and not succeeded.
  std::vector<std::unique_ptr<Strand>> strands;
  // Of those that have succeeded.
  std::vector<std::optional<Data>> results;
  // How many have succeeded, have failed, are running.
  size_t succeeded = 0;
  size_t failed = 0;
  size_t running = 0;
  // The next one to start, if the ones before it have all started.
  size_t next = 0;

  // Map only.
  // The state's input after InputPath.
  Data effective_input;
  // The items or batches: [first, last) of the items for each.
  Data items;
  std::vector<std::pair<size_t, size_t>> batches;
  Data batch_input;
  // As the definition has it, and in effect.
  int64_t wanted_concurrency = 0;
  size_t max_concurrency = 0;
  ToleratedFailure tolerated;
  // Set if the Map is distributed. Belongs to the machine.
  MapRun* map_run = nullptr;
};

// What TestState adds to a run of one state.
struct StateTestHooks {
  std::optional<Data> context;
  std::optional<Data> mock_result;
  std::optional<Failure> mock_failure;
  std::optional<Data> item_reader_data;
  std::optional<int64_t> iteration_failures;
  // The retries that have been made before.
  int64_t retry_count = 0;
  // What the state does, step by step, as TestState's inspectionData.
  ObjectBuilder inspection;
  // The outcome.
  enum class Outcome { kNone, kSucceeded, kFailed, kRetriable, kCaught };
  Outcome outcome = Outcome::kNone;
  std::optional<Data> output;
  std::string next;
  Failure failure;
  Data variables;
  // Which of the state's Retry or Catch has applied.
  std::optional<size_t> retrier;
  size_t catcher = 0;
  absl::Duration retry_delay;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_STRAND_H_
