#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluation.h"

namespace byoshin::local::stepfunctions {
namespace {

// The events of a task, which depend on its kind.
struct TaskEvents {
  HistoryEventType scheduled;
  HistoryEventType started;
  HistoryEventType succeeded;
  HistoryEventType failed;
  HistoryEventType timed_out;
};

TaskEvents EventsOf(TaskKind kind) {
  using Type = HistoryEventType;
  switch (kind) {
    case TaskKind::kLambdaFunction:
      return {Type::kLambdaFunctionScheduled, Type::kLambdaFunctionStarted,
              Type::kLambdaFunctionSucceeded, Type::kLambdaFunctionFailed,
              Type::kLambdaFunctionTimedOut};
    case TaskKind::kActivity:
      return {Type::kActivityScheduled, Type::kActivityStarted,
              Type::kActivitySucceeded, Type::kActivityFailed,
              Type::kActivityTimedOut};
    case TaskKind::kService:
    case TaskKind::kSdk:
      break;
  }
  return {Type::kTaskScheduled, Type::kTaskStarted, Type::kTaskSucceeded,
          Type::kTaskFailed, Type::kTaskTimedOut};
}

bool IsService(const TaskResource& resource) {
  return resource.kind == TaskKind::kService || resource.kind == TaskKind::kSdk;
}

// Details with the resource, for the events that name it.
std::shared_ptr<HistoryEventDetails> ResourceDetails(
    const TaskResource& resource) {
  auto details = std::make_shared<HistoryEventDetails>();
  if (IsService(resource)) {
    details->resource_type = resource.event_resource_type;
    details->resource = resource.event_resource;
  }
  return details;
}

std::optional<int64_t> SecondsOf(
    const std::optional<absl::Duration>& duration) {
  if (!duration) return std::nullopt;
  return absl::ToInt64Seconds(*duration);
}

}  // namespace

void Execution::Machine::RunTask(Strand& strand) {
  Evaluated<TaskRequest> request = MakeTask(strand);
  if (!request.ok()) return FailEvaluation(strand, request.error());
  if (TooLarge(request->arguments)) {
    return HandleFailure(strand, DataLimitFailure(strand.state->name));
  }
  if (hooks_ != nullptr && (hooks_->mock_result || hooks_->mock_failure)) {
    if (hooks_->mock_failure) {
      return HandleFailure(strand, *hooks_->mock_failure);
    }
    return FinishTask(strand, request->resource, *hooks_->mock_result);
  }
  request->id = ++last_task_;
  strand.task = request->id;
  strand.phase = Strand::Phase::kTask;
  TaskEntry entry{.request = *request, .strand = &strand};
  // The activity may not exist; then the task was never scheduled.
  if (request->resource.kind != TaskKind::kActivity) {
    AddTaskScheduled(strand, *request);
    HistoryEvent& started =
        AddEvent(strand, EventsOf(request->resource.kind).started);
    if (IsService(request->resource)) {
      started.details = ResourceDetails(request->resource);
    }
    StartTaskTimers(entry);
  }
  effects_.tasks.push_back(*std::move(request));
  tasks_.emplace(strand.task, std::move(entry));
}

Evaluated<TaskRequest> Execution::Machine::MakeTask(Strand& strand) {
  const State& state = *strand.state;
  TaskRequest request;
  request.resource = ParseTaskResource(state.resource);
  request.state_name = state.name;
  request.execution_arn = strand.run->arn;
  if (request.resource.pattern == TaskPattern::kWaitForTaskToken ||
      request.resource.kind == TaskKind::kActivity) {
    request.token =
        absl::StrFormat("AQCEAAAAKgAAAAMAAAAA%016x%016x%016x", random_.Bits(),
                        random_.Bits(), random_.Bits());
    // Activities' workers learn the token, but their input does not have it.
    if (request.resource.kind != TaskKind::kActivity) {
      strand.token = request.token;
    }
  }
  Evaluated<Data> effective = EffectiveInput(strand);
  if (!effective.ok()) return std::move(effective).error();
  const Scope scope = ScopeOf(strand, *effective);
  Evaluated<Data> arguments = EvaluateArguments(state, scope);
  if (!arguments.ok()) return std::move(arguments).error();
  InspectTask(strand, *effective, *arguments);
  Evaluated<TaskTimes> times = EvaluateTaskTimes(state, scope);
  if (!times.ok()) return std::move(times).error();
  Evaluated<std::optional<std::string>> role = EvaluateRole(state, scope);
  if (!role.ok()) return std::move(role).error();
  request.arguments = *std::move(arguments);
  request.timeout = times->timeout;
  request.heartbeat = times->heartbeat;
  request.role_arn = *std::move(role);
  return request;
}

void Execution::Machine::AddTaskScheduled(Strand& strand,
                                          const TaskRequest& request) {
  const TaskResource& resource = request.resource;
  HistoryEvent& event = AddEvent(strand, EventsOf(resource.kind).scheduled);
  SetEventData(*strand.run, event, request.arguments);
  std::shared_ptr<HistoryEventDetails> details = ResourceDetails(resource);
  details->resource = resource.event_resource;
  if (IsService(resource)) details->region = region_;
  details->timeout_seconds = SecondsOf(request.timeout);
  details->heartbeat_seconds = SecondsOf(request.heartbeat);
  details->credentials_role_arn = request.role_arn;
  event.details = std::move(details);
}

void Execution::Machine::StartTaskTimers(TaskEntry& entry) {
  if (entry.request.timeout) {
    entry.timeout_timer =
        SetTimer(TimerKind::kTask, now_ + *entry.request.timeout, entry.strand);
  }
  RestartHeartbeat(entry);
}

void Execution::Machine::RestartHeartbeat(TaskEntry& entry) {
  if (!entry.request.heartbeat) return;
  CancelTimer(entry.heartbeat_timer);
  entry.heartbeat_timer = SetTimer(
      TimerKind::kHeartbeat, now_ + *entry.request.heartbeat, entry.strand);
}

void Execution::Machine::On(const TaskSubmitted& input) {
  const auto at = tasks_.find(input.task);
  if (at == tasks_.end() || at->second.request.submitted) return;
  TaskEntry& entry = at->second;
  Strand& strand = *entry.strand;
  entry.request.submitted = input.output;
  if (entry.request.resource.kind == TaskKind::kActivity) {
    AddTaskScheduled(strand, entry.request);
    StartTaskTimers(entry);
    return;
  }
  HistoryEvent& event = AddEvent(strand, HistoryEventType::kTaskSubmitted);
  SetEventData(*strand.run, event, input.output);
  event.details = ResourceDetails(entry.request.resource);
}

void Execution::Machine::On(const ActivityStarted& input) {
  const auto at = tasks_.find(input.task);
  if (at == tasks_.end() || at->second.request.started) return;
  at->second.request.started = true;
  HistoryEvent& event =
      AddEvent(*at->second.strand, HistoryEventType::kActivityStarted);
  auto details = std::make_shared<HistoryEventDetails>();
  details->worker_name = input.worker_name;
  event.details = std::move(details);
  RestartHeartbeat(at->second);
}

void Execution::Machine::On(const TaskHeartbeat& input) {
  const auto at = tasks_.find(input.task);
  if (at != tasks_.end()) RestartHeartbeat(at->second);
}

void Execution::Machine::On(const TaskSucceeded& input) {
  if (!HasTask(input.task)) return;
  const TaskEntry entry = TakeTask(input.task);
  FinishTask(*entry.strand, entry.request.resource, input.output);
}

void Execution::Machine::On(const TaskFailed& input) {
  if (!HasTask(input.task)) return;
  const TaskEntry entry = TakeTask(input.task);
  Strand& strand = *entry.strand;
  if (input.error == kErrorRuntime) {
    return HandleFailure(strand,
                         {.error = input.error,
                          .cause = CauseOf(strand, input.cause.value_or("")),
                          .of_evaluation = true});
  }
  const TaskResource& resource = entry.request.resource;
  const bool submits = resource.pattern != TaskPattern::kRequestResponse;
  FailTask(strand, resource, {.error = input.error, .cause = input.cause},
           submits && !entry.request.submitted
               ? HistoryEventType::kTaskSubmitFailed
               : EventsOf(resource.kind).failed);
}

void Execution::Machine::FinishTask(Strand& strand,
                                    const TaskResource& resource,
                                    const Data& output) {
  if (TooLarge(output)) {
    return FailTask(
        strand, resource,
        DataLimitFailure(IsService(resource) ? resource.event_resource_type
                                             : resource.arn),
        EventsOf(resource.kind).failed);
  }
  Inspect("result", output);
  HistoryEvent& event = AddEvent(strand, EventsOf(resource.kind).succeeded);
  SetEventData(*strand.run, event, output);
  event.details = ResourceDetails(resource);
  FinishWithResult(strand, output);
}

void Execution::Machine::FailTask(Strand& strand, const TaskResource& resource,
                                  Failure failure, HistoryEventType type) {
  HistoryEvent& event = AddEvent(strand, failure.error == kErrorTimeout
                                             ? EventsOf(resource.kind).timed_out
                                             : type);
  std::shared_ptr<HistoryEventDetails> details = ResourceDetails(resource);
  details->error = failure.error;
  details->cause = failure.cause;
  event.details = std::move(details);
  HandleFailure(strand, std::move(failure));
}

Execution::Machine::TaskEntry Execution::Machine::TakeTask(TaskId task) {
  const auto at = tasks_.find(task);
  TaskEntry entry = std::move(at->second);
  tasks_.erase(at);
  entry.strand->task = 0;
  CancelTimer(entry.timeout_timer);
  CancelTimer(entry.heartbeat_timer);
  return entry;
}

void Execution::Machine::CancelTask(Strand& strand) {
  if (strand.task == 0) return;
  const TaskId task = strand.task;
  TakeTask(task);
  std::vector<TaskRequest>& asked = effects_.tasks;
  const auto at = std::find_if(
      asked.begin(), asked.end(),
      [task](const TaskRequest& other) { return other.id == task; });
  if (at != asked.end()) {
    asked.erase(at);
  } else {
    effects_.cancelled_tasks.push_back(task);
  }
}

void Execution::Machine::TimeOutTask(Strand& strand) {
  const TaskResource resource = tasks_.at(strand.task).request.resource;
  CancelTask(strand);
  FailTask(strand, resource, {.error = kErrorTimeout},
           EventsOf(resource.kind).timed_out);
}

}  // namespace byoshin::local::stepfunctions
