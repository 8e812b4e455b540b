#include "local/stepfunctions/execution/machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/strand.h"

namespace byoshin::local::stepfunctions {
namespace {

// The history of a short execution has no more events than this.
constexpr size_t kUsualEvents = 16;

// The region of an ARN.
std::string RegionOf(absl::string_view arn) {
  const std::vector<absl::string_view> parts = absl::StrSplit(arn, ':');
  return parts.size() > 3 ? std::string(parts[3]) : "";
}

// Times have whole nanoseconds, as in the log.
absl::Time WholeNanoseconds(absl::Time time) {
  return absl::FromUnixNanos(absl::ToUnixNanos(time));
}

}  // namespace

Execution::Machine::Machine(std::shared_ptr<const StateMachine> definition,
                            ExecutionInfo info, Data input, absl::Time now)
    : definition_(std::move(definition)),
      info_(std::move(info)),
      input_(std::move(input)),
      start_time_(WholeNanoseconds(now)),
      now_(start_time_),
      random_(absl::string_view(info_.arn)),
      region_(RegionOf(info_.arn)),
      root_(std::make_unique<Strand>(definition_.get(), &run_, nullptr)) {
  run_.arn = info_.arn;
  run_.events = &events_;
  run_.owner = root_.get();
  if (info_.type == StateMachineType::kExpress) {
    run_.max_events = kMaxExpressHistoryEvents;
  }
}

Effects Execution::Machine::Start() {
  events_.reserve(kUsualEvents);
  AddStarted(*root_);
  SetExecutionTimer();
  root_->input = input_;
  root_->state = definition_->Find(definition_->start_at);
  Continue(*root_, Strand::Phase::kEnter);
  RunQueue();
  return TakeEffects(0);
}

Effects Execution::Machine::StartTest(const State& state, Data variables,
                                      StateTestHooks* hooks) {
  hooks_ = hooks;
  root_->input = input_;
  root_->variables = std::move(variables);
  root_->state = &state;
  Continue(*root_, Strand::Phase::kEnter);
  RunQueue();
  return TakeEffects(0);
}

Effects Execution::Machine::Apply(const ExecutionInput& input) {
  const size_t events_before = events_.size();
  // Time does not go back, whatever the clock does.
  now_ = std::max(now_, WholeNanoseconds(input.time));
  std::visit([this](const auto& what) { On(what); }, input.what);
  RunQueue();
  return TakeEffects(events_before);
}

Effects Execution::Machine::TakeEffects(size_t events_before) {
  effects_.new_events = events_.size() - events_before;
  effects_.go_on = !end_ && queue_head_ < queue_.size();
  // Nothing can continue it.
  if (end_ && end_->status == ExecutionStatus::kSucceeded) root_.reset();
  return std::exchange(effects_, Effects());
}

Effects Execution::Machine::Pending() const {
  Effects pending;
  for (const auto& [id, task] : tasks_) pending.tasks.push_back(task.request);
  for (const auto& [id, timer] : timers_) {
    pending.timers.push_back({.id = id, .time = timer.time});
  }
  pending.go_on = !end_ && queue_head_ < queue_.size();
  pending.end = end_;
  return pending;
}

void Execution::Machine::RunQueue() {
  for (int steps = 0; steps < kMaxSteps && !end_; ++steps) {
    if (queue_head_ == queue_.size()) break;
    Step(*queue_[queue_head_++]);
    if (full_run_ != nullptr) FailFullRun();
  }
  queue_.erase(queue_.begin(),
               queue_.begin() + static_cast<std::ptrdiff_t>(queue_head_));
  queue_head_ = 0;
}

void Execution::Machine::Step(Strand& strand) {
  if (strand.phase == Strand::Phase::kEnter) {
    Enter(strand);
  } else {
    Attempt(strand);
  }
}

void Execution::Machine::Continue(Strand& strand, Strand::Phase phase) {
  strand.phase = phase;
  queue_.push_back(&strand);
}

void Execution::Machine::RemoveFromQueue(const Strand& strand) {
  queue_.erase(
      std::remove(queue_.begin() + static_cast<std::ptrdiff_t>(queue_head_),
                  queue_.end(), &strand),
      queue_.end());
}

TimerId Execution::Machine::SetTimer(TimerKind kind, absl::Time time,
                                     Strand* strand) {
  const TimerId id = ++last_timer_;
  time = WholeNanoseconds(time);
  timers_.emplace(id, TimerEntry{kind, time, strand});
  effects_.timers.push_back({.id = id, .time = time});
  return id;
}

void Execution::Machine::CancelTimer(TimerId& timer) {
  const TimerId id = std::exchange(timer, 0);
  if (id == 0 || timers_.erase(id) == 0) return;
  std::vector<Timer>& set = effects_.timers;
  const auto at =
      std::find_if(set.begin(), set.end(),
                   [id](const Timer& other) { return other.id == id; });
  if (at != set.end()) {
    set.erase(at);
  } else {
    effects_.cancelled_timers.push_back(id);
  }
}

void Execution::Machine::SetExecutionTimer() {
  std::optional<absl::Duration> limit;
  if (definition_->timeout_seconds) {
    limit = absl::Seconds(*definition_->timeout_seconds);
  }
  if (info_.type == StateMachineType::kExpress) {
    limit = std::min(limit.value_or(kMaxExpressDuration), kMaxExpressDuration);
  }
  if (limit) {
    execution_timer_ = SetTimer(TimerKind::kExecution, now_ + *limit, nullptr);
  }
}

void Execution::Machine::On(const TimerFired& input) {
  const auto at = timers_.find(input.timer);
  if (at == timers_.end()) return;
  const TimerEntry timer = at->second;
  timers_.erase(at);
  now_ = std::max(now_, timer.time);
  switch (timer.kind) {
    case TimerKind::kExecution:
      execution_timer_ = 0;
      Stop(*root_);
      EndExecution(
          {.status = ExecutionStatus::kTimedOut, .error = kErrorTimeout},
          HistoryEventType::kExecutionTimedOut);
      break;
    case TimerKind::kWait:
      timer.strand->timer = 0;
      FinishWithInput(*timer.strand);
      break;
    case TimerKind::kRetry:
      timer.strand->timer = 0;
      Continue(*timer.strand, Strand::Phase::kAttempt);
      break;
    case TimerKind::kTask:
    case TimerKind::kHeartbeat:
      TimeOutTask(*timer.strand);
      break;
  }
}

void Execution::Machine::On(const StopRequested& input) {
  if (end_) return;
  Stop(*root_);
  EndExecution({.status = ExecutionStatus::kAborted,
                .error = input.error,
                .cause = input.cause},
               HistoryEventType::kExecutionAborted);
}

void Execution::Machine::On(const GoOn&) {}

void Execution::Machine::EndExecution(ExecutionEnd end, HistoryEventType type) {
  end.time = now_;
  HistoryEvent& event = AddEvent(*root_, type);
  if (end.output) SetEventData(run_, event, *end.output);
  if (end.error || end.cause || type != HistoryEventType::kExecutionSucceeded) {
    auto details = std::make_shared<HistoryEventDetails>();
    details->error = end.error;
    details->cause = end.cause;
    event.details = std::move(details);
  }
  CancelTimer(execution_timer_);
  effects_.end = end;
  end_ = std::move(end);
}

void Execution::Machine::Stop(Strand& strand) {
  RemoveFromQueue(strand);
  CancelTask(strand);
  CancelTimer(strand.timer);
  strand.phase = Strand::Phase::kStopped;
  if (!strand.children) return;
  const bool distributed = strand.children->map_run != nullptr;
  for (const std::unique_ptr<Strand>& child : strand.children->strands) {
    const bool running = child->phase != Strand::Phase::kStopped;
    Stop(*child);
    if (distributed && running) {
      EndChildExecution(*child, ExecutionStatus::kAborted, std::nullopt, {});
    }
  }
  strand.children->running = 0;
  if (distributed) EndMapRun(strand, ExecutionStatus::kAborted);
}

void Execution::Machine::FailFullRun() {
  Run& run = *std::exchange(full_run_, nullptr);
  if (end_) return;
  Stop(*run.owner);
  FailStrand(
      *run.owner,
      {.error = kErrorRuntime,
       .cause = absl::StrCat(
           "The execution reached the maximum number of history events (",
           run.max_events, ").")});
}

}  // namespace byoshin::local::stepfunctions
