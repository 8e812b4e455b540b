#include "local/stepfunctions/execution/testing/simulated_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions {
namespace {

[[noreturn]] void EndTest(absl::string_view message) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()),
               message.data());
  std::abort();
}

}  // namespace

TaskMock TaskMock::Succeed(Data output, absl::Duration after) {
  return {.outcome = TaskSucceeded{.output = std::move(output)},
          .after = after};
}

TaskMock TaskMock::Fail(std::optional<std::string> error,
                        std::optional<std::string> cause,
                        absl::Duration after) {
  return {.outcome =
              TaskFailed{.error = std::move(error), .cause = std::move(cause)},
          .after = after};
}

TaskMock TaskMock::Hang() {
  return {.outcome = std::nullopt, .after = absl::ZeroDuration()};
}

std::shared_ptr<const StateMachine> ParsedMachine(
    absl::string_view definition, ExpressionCompiler* compiler) {
  ParsedDefinition parsed = ParseDefinition(definition, {.compiler = compiler});
  if (!parsed.machine) EndTest(InvalidDefinitionMessage(parsed.errors()));
  return parsed.machine;
}

Data ParsedData(absl::string_view json) {
  absl::StatusOr<Data> data = Data::Parse(json);
  if (!data.ok()) EndTest(data.status().ToString());
  return *std::move(data);
}

absl::Time SimulatedStart() {
  return absl::FromCivil(absl::CivilSecond(2024, 1, 1), absl::UTCTimeZone());
}

ExecutionInfo SimulatedInfo(StateMachineType type) {
  return {.arn = "arn:aws:states:us-east-1:123456789012:execution:machine:run",
          .name = "run",
          .state_machine_arn =
              "arn:aws:states:us-east-1:123456789012:stateMachine:machine",
          .state_machine_name = "machine",
          .role_arn = "arn:aws:iam::123456789012:role/machine",
          .type = type,
          .state_machine_alias_arn = "",
          .state_machine_version_arn = ""};
}

SimulatedRun::SimulatedRun(std::shared_ptr<const StateMachine> machine,
                           Data input, TaskMocks mocks, ExecutionInfo info)
    : machine_(std::move(machine)),
      input_(std::move(input)),
      mocks_(std::move(mocks)),
      info_(std::move(info)) {
  Execution::Started started = Execution::Start(machine_, info_, input_, now_);
  execution_ = std::move(started.execution);
  CarryOut(std::move(started.effects));
}

SimulatedRun::SimulatedRun(absl::string_view definition,
                           absl::string_view input, TaskMocks mocks)
    : SimulatedRun(ParsedMachine(definition), ParsedData(input),
                   std::move(mocks)) {}

bool SimulatedRun::RunOne() {
  while (!agenda_.empty() && !execution_->end()) {
    auto next = agenda_.extract(agenda_.begin());
    if (!Wanted(next.mapped())) continue;
    ApplyInput(std::move(next.mapped()));
    return true;
  }
  return false;
}

bool SimulatedRun::Wanted(const ExecutionInput& input) const {
  return std::visit(
      [this](const auto& what) {
        if constexpr (requires { what.task; }) {
          return execution_->HasTask(what.task);
        } else if constexpr (std::is_same_v<decltype(what), const GoOn&>) {
          return execution_->Pending().go_on;
        } else {
          return true;
        }
      },
      input.what);
}

void SimulatedRun::RunToEnd() {
  while (RunOne()) {
  }
}

void SimulatedRun::RunUntil(absl::Time time) {
  while (!agenda_.empty() && std::get<0>(agenda_.begin()->first) <= time) {
    if (!RunOne()) break;
  }
  now_ = std::max(now_, time);
}

void SimulatedRun::Apply(decltype(ExecutionInput::what) what) {
  ApplyInput({.time = now_, .what = std::move(what)});
}

void SimulatedRun::ApplyInput(ExecutionInput input) {
  now_ = std::max(now_, input.time);
  log_.push_back(SerializeInput(input));
  if (const auto* heartbeat = std::get_if<TaskHeartbeat>(&input.what)) {
    last_heartbeats_[heartbeat->task] = input.time;
  }
  CarryOut(execution_->Apply(input));
}

void SimulatedRun::Restart() {
  Execution::Started started =
      Execution::Start(machine_, info_, input_, SimulatedStart());
  execution_ = std::move(started.execution);
  for (const std::string& text : log_) {
    absl::StatusOr<ExecutionInput> input = ParseInput(text);
    if (!input.ok()) EndTest(input.status().ToString());
    execution_->Apply(*input);
  }
  agenda_.clear();
  CarryOut(execution_->Pending());
}

void SimulatedRun::CarryOut(Effects effects) {
  for (const TaskRequest& task : effects.tasks) Begin(task);
  cancelled_.insert(cancelled_.end(), effects.cancelled_tasks.begin(),
                    effects.cancelled_tasks.end());
  for (const TimerId timer : effects.cancelled_timers) {
    std::erase_if(agenda_, [timer](const auto& planned) {
      const auto* fired = std::get_if<TimerFired>(&planned.second.what);
      return fired != nullptr && fired->timer == timer;
    });
  }
  for (const Timer& timer : effects.timers) {
    Plan(timer.time, timer.id, TimerFired{timer.id});
  }
  if (effects.go_on) Plan(now_, 0, GoOn{});
}

void SimulatedRun::Begin(const TaskRequest& task) {
  tasks_.push_back(task);
  if (!mocks_) return;
  const absl::Time start = begun_.try_emplace(task.id, now_).first->second;
  TaskMock mock = mocks_(task);
  if (mock.submitted && !task.submitted) {
    Plan(start, task.id, TaskSubmitted{task.id, *mock.submitted});
  }
  for (const absl::Duration heartbeat : mock.heartbeats) {
    // A restart does not repeat those that have come.
    if (start + heartbeat >
        last_heartbeats_.try_emplace(task.id, start).first->second) {
      Plan(start + heartbeat, task.id, TaskHeartbeat{task.id});
    }
  }
  if (!mock.outcome) return;
  const absl::Time end = start + mock.after;
  if (auto* succeeded = std::get_if<TaskSucceeded>(&*mock.outcome)) {
    succeeded->task = task.id;
    Plan(end, task.id, std::move(*succeeded));
  } else {
    TaskFailed& failed = std::get<TaskFailed>(*mock.outcome);
    failed.task = task.id;
    Plan(end, task.id, std::move(failed));
  }
}

void SimulatedRun::Plan(absl::Time time, uint64_t id,
                        decltype(ExecutionInput::what) what) {
  const size_t kind = what.index();
  agenda_.insert_or_assign(
      std::make_tuple(time, kind, id),
      ExecutionInput{.time = time, .what = std::move(what)});
}

std::string SimulatedRun::EventTypes() const {
  return absl::StrJoin(execution_->events(), " ",
                       [](std::string* out, const HistoryEvent& event) {
                         absl::StrAppend(out, HistoryEventTypeName(event.type));
                       });
}

std::string SimulatedRun::EventsJson(bool times) const {
  std::string json;
  for (const HistoryEvent& event : execution_->events()) {
    ObjectBuilder line(HistoryEventJson(event, ExecutionData::kIncluded));
    if (!times) line.Remove("timestamp");
    std::move(line).Build().AppendJson(json);
    json.push_back('\n');
  }
  return json;
}

std::string SimulatedRun::Outcome() const {
  const std::optional<ExecutionEnd>& end = execution_->end();
  if (!end) return "RUNNING";
  std::string text(ExecutionStatusName(end->status));
  if (end->output) absl::StrAppend(&text, " ", end->output->ToJson());
  if (end->error) absl::StrAppend(&text, " ", *end->error);
  if (end->cause) absl::StrAppend(&text, ": ", *end->cause);
  return text;
}

}  // namespace byoshin::local::stepfunctions
