#include "local/stepfunctions/execution/execution.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/machine.h"

namespace byoshin::local::stepfunctions {

absl::string_view ExecutionStatusName(ExecutionStatus status) {
  switch (status) {
    case ExecutionStatus::kRunning:
      return "RUNNING";
    case ExecutionStatus::kSucceeded:
      return "SUCCEEDED";
    case ExecutionStatus::kFailed:
      return "FAILED";
    case ExecutionStatus::kTimedOut:
      return "TIMED_OUT";
    case ExecutionStatus::kAborted:
      return "ABORTED";
  }
  return "";
}

Execution::Execution(std::unique_ptr<Machine> machine)
    : machine_(std::move(machine)) {}

Execution::~Execution() = default;

Execution::Started Execution::Start(std::shared_ptr<const StateMachine> machine,
                                    ExecutionInfo info, Data input,
                                    absl::Time now) {
  auto interpreter = std::make_unique<Machine>(
      std::move(machine), std::move(info), std::move(input), now);
  Effects effects = interpreter->Start();
  return {.execution =
              std::unique_ptr<Execution>(new Execution(std::move(interpreter))),
          .effects = std::move(effects)};
}

Effects Execution::Apply(const ExecutionInput& input) {
  return machine_->Apply(input);
}

Effects Execution::Pending() const { return machine_->Pending(); }

bool Execution::HasTask(TaskId task) const { return machine_->HasTask(task); }

const ExecutionInfo& Execution::info() const { return machine_->info(); }

const Data& Execution::input() const { return machine_->input(); }

absl::Time Execution::start_time() const { return machine_->start_time(); }

ExecutionStatus Execution::status() const {
  return end() ? end()->status : ExecutionStatus::kRunning;
}

const std::optional<ExecutionEnd>& Execution::end() const {
  return machine_->end();
}

const std::vector<HistoryEvent>& Execution::events() const {
  return machine_->events();
}

std::string Execution::RedriveRefusal() const {
  return machine_->RedriveRefusal();
}

int64_t Execution::redrive_count() const { return machine_->redrive_count(); }

std::optional<absl::Time> Execution::redrive_time() const {
  return machine_->redrive_time();
}

const std::vector<std::unique_ptr<MapRun>>& Execution::map_runs() const {
  return machine_->map_runs();
}

}  // namespace byoshin::local::stepfunctions
