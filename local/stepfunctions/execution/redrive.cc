#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"

namespace byoshin::local::stepfunctions {
namespace {

std::shared_ptr<const HistoryEventDetails> RedriveDetails(int64_t count) {
  auto details = std::make_shared<HistoryEventDetails>();
  details->redrive_count = count;
  return details;
}

}  // namespace

std::string Execution::Machine::RedriveRefusal() const {
  if (info_.type == StateMachineType::kExpress) {
    return "RedriveExecution is not supported for EXPRESS state machines";
  }
  const ExecutionStatus status =
      end_ ? end_->status : ExecutionStatus::kRunning;
  if (status == ExecutionStatus::kRunning ||
      status == ExecutionStatus::kSucceeded) {
    return absl::StrCat("Execution is ", ExecutionStatusName(status),
                        " and cannot be redriven");
  }
  if (static_cast<int64_t>(events_.size()) >= run_.max_events - 1) {
    return "Execution history event limit exceeded";
  }
  return "";
}

void Execution::Machine::On(const Redriven&) {
  if (!RedriveRefusal().empty()) return;
  ++redrive_count_;
  redrive_time_ = now_;
  end_.reset();
  HistoryEvent& event = AddEvent(*root_, HistoryEventType::kExecutionRedriven);
  event.details = RedriveDetails(redrive_count_);
  // Its RedriveCount has changed.
  run_.execution_context = Data();
  SetExecutionTimer();
  Resume(*root_, root_->last_event);
}

void Execution::Machine::Resume(Strand& strand, int64_t event) {
  strand.last_event = event;
  strand.attempts.clear();
  strand.retry_count = 0;
  if (!strand.children) {
    // A Fail state is entered again; the others only run again.
    return Continue(strand, strand.state->type == StateType::kFail
                                ? Strand::Phase::kEnter
                                : Strand::Phase::kAttempt);
  }
  Children& children = *strand.children;
  strand.phase = Strand::Phase::kChildren;
  children.failed = 0;
  children.running = children.strands.size();
  if (children.map_run == nullptr) {
    for (const std::unique_ptr<Strand>& child : children.strands) {
      Resume(*child, event);
    }
  } else {
    ResumeMapRun(strand);
  }
  if (strand.state->type == StateType::kMap) {
    StartIterations(strand, strand.last_event);
  }
}

void Execution::Machine::ResumeMapRun(Strand& strand) {
  MapRun& run = *strand.children->map_run;
  run.status = ExecutionStatus::kRunning;
  run.stop_time.reset();
  ++run.redrive_count;
  HistoryEvent& event = AddEvent(strand, HistoryEventType::kMapRunRedriven);
  auto details = std::make_shared<HistoryEventDetails>();
  details->redrive_count = run.redrive_count;
  details->map_run_arn = run.arn;
  event.details = std::move(details);
  for (const std::unique_ptr<Strand>& child : strand.children->strands) {
    ChildExecution& execution = *child->run->child;
    Recount(run, execution.item_count, execution.status,
            ExecutionStatus::kRunning);
    execution.status = ExecutionStatus::kRunning;
    execution.stop_time.reset();
    execution.error.reset();
    execution.cause.reset();
    HistoryEvent& redriven = AddEventAfter(
        *child->run, child->last_event, HistoryEventType::kExecutionRedriven);
    redriven.details = RedriveDetails(++execution.redrive_count);
    Resume(*child, redriven.id);
  }
}

}  // namespace byoshin::local::stepfunctions
