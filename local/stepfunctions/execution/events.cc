#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

// The last event of a history is one of these; there is always room for it.
bool EndsHistory(HistoryEventType type) {
  return type == HistoryEventType::kExecutionAborted ||
         type == HistoryEventType::kExecutionFailed ||
         type == HistoryEventType::kExecutionSucceeded ||
         type == HistoryEventType::kExecutionTimedOut;
}

// Where the parts of a value are; null for scalars. Values that share their
// parts have the same address.
const void* TreeOf(const Data& data) {
  if (data.is_object()) return data.members().data();
  if (data.is_array()) return data.elements().data();
  return data.is_string() ? data.string().data() : nullptr;
}

bool HasRetryCount(StateType type) {
  return type == StateType::kTask || type == StateType::kParallel ||
         type == StateType::kMap;
}

HistoryEventType ExitedType(StateType type) {
  switch (type) {
    case StateType::kTask:
      return HistoryEventType::kTaskStateExited;
    case StateType::kChoice:
      return HistoryEventType::kChoiceStateExited;
    case StateType::kWait:
      return HistoryEventType::kWaitStateExited;
    case StateType::kSucceed:
      return HistoryEventType::kSucceedStateExited;
    case StateType::kParallel:
      return HistoryEventType::kParallelStateExited;
    case StateType::kMap:
      return HistoryEventType::kMapStateExited;
    case StateType::kPass:
    case StateType::kFail:
      break;
  }
  return HistoryEventType::kPassStateExited;
}

}  // namespace

Data ContextTime(absl::Time time) {
  return Data::String(
      absl::FormatTime("%Y-%m-%d%ET%H:%M:%E3SZ", time, absl::UTCTimeZone()));
}

HistoryEvent& Execution::Machine::AddEvent(Strand& strand,
                                           HistoryEventType type) {
  HistoryEvent& event = AddEventAfter(*strand.run, strand.last_event, type);
  strand.last_event = event.id;
  return event;
}

HistoryEvent& Execution::Machine::AddEventAfter(Run& run, int64_t previous,
                                                HistoryEventType type) {
  const auto count = static_cast<int64_t>(run.events->size());
  if (count >= run.max_events - 1 && !EndsHistory(type)) {
    full_run_ = &run;
    dropped_event_ = HistoryEvent();
    return dropped_event_;
  }
  HistoryEvent& event = run.events->emplace_back();
  event.id = count + 1;
  event.previous_id = previous;
  event.time = now_;
  event.type = type;
  return event;
}

void Execution::Machine::SetEventData(Run& run, HistoryEvent& event,
                                      const Data& data) {
  if (run.bytes > kMaxHistoryBytes) {
    event.data_truncated = true;
    return;
  }
  const void* tree = TreeOf(data);
  if (tree != run.last_tree) run.bytes += data.JsonSize();
  run.last_tree = tree;
  event.data = data;
}

void Execution::Machine::AddStarted(const Strand& root) {
  Run& run = *root.run;
  HistoryEvent& event =
      AddEventAfter(run, 0, HistoryEventType::kExecutionStarted);
  SetEventData(run, event, root.parent == nullptr ? input_ : root.input);
  auto details = std::make_shared<HistoryEventDetails>();
  details->role_arn = info_.role_arn;
  if (run.child == nullptr) {
    details->state_machine_alias_arn = info_.state_machine_alias_arn;
    details->state_machine_version_arn = info_.state_machine_version_arn;
  }
  event.details = std::move(details);
}

void Execution::Machine::AddExited(Strand& strand, const Data& output,
                                   const Data& assigned) {
  HistoryEvent& event = AddEvent(strand, ExitedType(strand.state->type));
  event.name = strand.state->name;
  SetEventData(*strand.run, event, output);
  if (assigned.size() == 0) return;
  auto details = std::make_shared<HistoryEventDetails>();
  details->assigned_variables = assigned;
  event.details = std::move(details);
}

void Execution::Machine::SetRunContext(Run& run, absl::string_view name,
                                       const Data& run_input,
                                       absl::string_view machine_arn,
                                       absl::string_view machine_name) const {
  ObjectBuilder execution;
  execution.Set("Id", Data::String(run.arn));
  execution.Set("Input", run_input);
  execution.Set("StartTime",
                ContextTime(run.child == nullptr ? start_time_ : now_));
  execution.Set("Name", Data::String(name));
  // A test may do without a role.
  execution.Set("RoleArn",
                info_.role_arn.empty() ? Data() : Data::String(info_.role_arn));
  if (info_.type == StateMachineType::kStandard && hooks_ == nullptr) {
    execution.Set("RedriveCount", Data::Integer(redrive_count_));
  }
  run.execution_context = std::move(execution).Build();
  ObjectBuilder machine;
  machine.Set("Id", Data::String(machine_arn));
  machine.Set("Name", Data::String(machine_name));
  run.machine_context = std::move(machine).Build();
}

Data Execution::Machine::ContextOf(const Strand& strand,
                                   const Data& map_item) const {
  if (hooks_ != nullptr && hooks_->context) return *hooks_->context;
  Run& run = *strand.run;
  if (run.execution_context.is_null()) {
    SetRunContext(run, info_.name, input_, info_.state_machine_arn,
                  info_.state_machine_name);
  }
  ObjectBuilder context;
  context.Set("Execution", run.execution_context);
  context.Set("StateMachine", run.machine_context);
  ObjectBuilder state;
  state.Set("Name", Data::String(strand.state->name));
  state.Set("EnteredTime", ContextTime(strand.entered_time));
  if (HasRetryCount(strand.state->type)) {
    state.Set("RetryCount", Data::Integer(strand.retry_count));
  }
  context.Set("State", std::move(state).Build());
  if (!strand.token.empty()) {
    ObjectBuilder task;
    task.Set("Token", Data::String(strand.token));
    context.Set("Task", std::move(task).Build());
  }
  if (!map_item.is_null()) {
    ObjectBuilder map;
    map.Set("Item", map_item);
    context.Set("Map", std::move(map).Build());
  }
  return std::move(context).Build();
}

Scope Execution::Machine::ScopeOf(const Strand& strand, Data scope_input) {
  Scope scope;
  scope.input = std::move(scope_input);
  scope.context = ContextOf(strand, strand.map_item);
  scope.variables = strand.variables;
  scope.random = &random_;
  scope.now = now_;
  return scope;
}

}  // namespace byoshin::local::stepfunctions
