// Runs a state machine in process, with mocked tasks, on a simulated time line.
//
//   SimulatedRun run(R"({"StartAt": "A", "States": {…}})", R"({"n": 1})",
//                    [](const TaskRequest& task) {
//                      return TaskMock::Succeed(task.arguments);
//                    });
//   run.RunToEnd();
//   EXPECT_EQ(run.execution().status(), ExecutionStatus::kSucceeded);
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TESTING_SIMULATED_RUN_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TESTING_SIMULATED_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"

namespace byoshin::local::stepfunctions {

// What a task does.
struct TaskMock {
  static TaskMock Succeed(Data output,
                          absl::Duration after = absl::ZeroDuration());
  static TaskMock Fail(std::optional<std::string> error,
                       std::optional<std::string> cause,
                       absl::Duration after = absl::ZeroDuration());
  // Never answers.
  static TaskMock Hang();

  // Absent if the task never answers.
  std::optional<std::variant<TaskSucceeded, TaskFailed>> outcome;
  absl::Duration after;
  // If set, TaskSubmitted comes first.
  std::optional<Data> submitted = {};
  // When heartbeats come.
  std::vector<absl::Duration> heartbeats = {};
};

using TaskMocks = std::function<TaskMock(const TaskRequest&)>;

// Parses the text; the process ends with the diagnostics if it is invalid.
std::shared_ptr<const StateMachine> ParsedMachine(
    absl::string_view definition, ExpressionCompiler* compiler = nullptr);
// Parses JSON; the process ends if it is invalid.
Data ParsedData(absl::string_view json);

// The start of every simulated run: 2024-01-01T00:00:00Z.
absl::Time SimulatedStart();
ExecutionInfo SimulatedInfo(
    StateMachineType type = StateMachineType::kStandard);

class SimulatedRun {
 public:
  SimulatedRun(std::shared_ptr<const StateMachine> machine, Data input,
               TaskMocks mocks, ExecutionInfo info = SimulatedInfo());
  SimulatedRun(absl::string_view definition, absl::string_view input,
               TaskMocks mocks = {});

  // Applies what is due next. False if the execution has ended, or nothing is
  // going to happen.
  bool RunOne();
  void RunToEnd();
  void RunUntil(absl::Time time);
  // Applies an input at the current time.
  void Apply(decltype(ExecutionInput::what) what);
  // Forgets the execution, and continues with one that has replayed the log.
  // Tasks that were running answer when they would have answered.
  void Restart();

  const Execution& execution() const { return *execution_; }
  absl::Time now() const { return now_; }
  // All inputs so far, serialized.
  const std::vector<std::string>& log() const { return log_; }
  // All tasks that were asked for.
  const std::vector<TaskRequest>& tasks() const { return tasks_; }
  const std::vector<TaskId>& cancelled_tasks() const { return cancelled_; }

  // The types of the events: "ExecutionStarted PassStateEntered …".
  std::string EventTypes() const;
  // The events as JSON, one a line; without their times if `times` is false.
  std::string EventsJson(bool times = true) const;
  // The status, and the output or the error and the cause.
  std::string Outcome() const;

 private:
  void CarryOut(Effects effects);
  void Begin(const TaskRequest& task);
  void ApplyInput(ExecutionInput input);
  // False for what concerns a task that has ended, and for work that was done.
  bool Wanted(const ExecutionInput& input) const;
  void Plan(absl::Time time, uint64_t id, decltype(ExecutionInput::what) what);

  std::shared_ptr<const StateMachine> machine_;
  Data input_;
  TaskMocks mocks_;
  ExecutionInfo info_;
  absl::Time now_ = SimulatedStart();
  std::unique_ptr<Execution> execution_;
  // What is going to happen, by time, kind and id: the order does not depend on
  // when it was planned, so that a restart does not change it.
  std::map<std::tuple<absl::Time, size_t, uint64_t>, ExecutionInput> agenda_;
  // When tasks were begun.
  std::map<TaskId, absl::Time> begun_;
  std::map<TaskId, absl::Time> last_heartbeats_;
  std::vector<std::string> log_;
  std::vector<TaskRequest> tasks_;
  std::vector<TaskId> cancelled_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TESTING_SIMULATED_RUN_H_
