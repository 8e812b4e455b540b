// How executions get what they want from outside: timers, tasks, child
// executions.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/child_execution.h"
#include "local/stepfunctions/executions.h"

namespace byoshin::local::stepfunctions {

void Executions::Begin() {
  begun_ = true;
  for (auto& [arn, task] : std::exchange(held_, {})) {
    const auto found = live_.find(arn);
    if (found == live_.end()) continue;
    if (Wake(arn, found->second).ok() &&
        found->second.execution->HasTask(task.id)) {
      RunTask(arn, found->second, std::move(task));
    }
  }
  LetSleep();
  announcements_.Begin();
}

AfterCommit Executions::TakeEffects(AfterCommit then) {
  if (deferred_.empty()) return then;
  return [this, epoch = epoch_, then = std::move(then),
          deferred = std::make_shared<std::vector<Deferred>>(
              std::exchange(deferred_, {}))](const absl::Status& committed) {
    if (then) then(committed);
    if (!committed.ok() || epoch != epoch_) return;
    announcements_.Send();
    for (Deferred& part : *deferred) CarryOut(std::move(part));
  };
}

void Executions::CarryOut(Deferred deferred) {
  const std::string& arn = deferred.arn;
  const auto found = live_.find(arn);
  if (found == live_.end()) return;
  Live& live = found->second;
  if (!deferred.lines.empty()) {
    const kept::Revision* revision =
        world_.catalog.FindRevision(live.kept.revision());
    for (std::string& line : deferred.lines) {
      for (const std::string& group : revision->logging().log_groups()) {
        world_.log(group, live.kept.machine_name(), line);
      }
    }
  }
  Effects& effects = deferred.effects;
  for (const TimerId timer : effects.cancelled_timers) {
    const auto set = live.timers.find(timer);
    if (set == live.timers.end()) continue;
    world_.loop.Cancel(set->second);
    live.timers.erase(set);
  }
  for (const TaskId task : effects.cancelled_tasks) {
    ForgetTask(arn, live, task);
  }
  for (const Timer& timer : effects.timers) SetTimer(arn, live, timer);
  for (TaskRequest& task : effects.tasks) {
    RunTask(arn, live, std::move(task));
  }
  if (effects.go_on) ApplyLater(arn, GoOn{});
  if (!live.ended) return;
  for (const auto& [id, timer] : live.timers) world_.loop.Cancel(timer);
  while (!live.tokens.empty()) {
    ForgetTask(arn, live, live.tokens.begin()->first);
  }
  const kept::Execution kept = std::move(live.kept);
  if (live.execution != nullptr) awake_.erase(live.awake);
  live_.erase(found);
  TellEnd(kept.arn(), kept);
}

void Executions::SetTimer(const std::string& arn, Live& live,
                          const Timer& timer) {
  live.timers[timer.id] = world_.loop.At(
      timer.time, [this, arn, id = timer.id, epoch = epoch_]() -> AfterCommit {
        if (epoch != epoch_) return nullptr;
        if (const auto found = live_.find(arn); found != live_.end()) {
          found->second.timers.erase(id);
        }
        Apply(arn, TimerFired{.timer = id});
        return TakeEffects();
      });
}

void Executions::ApplyLater(const std::string& arn,
                            decltype(ExecutionInput::what) what) {
  world_.gate->Submit([this, arn, what = std::move(what)]() -> AfterCommit {
    Apply(arn, what);
    return TakeEffects();
  });
}

void Executions::ForgetTask(const std::string& arn, Live& live, TaskId task) {
  const auto token = live.tokens.find(task);
  if (token == live.tokens.end()) return;
  tokens_.erase(token->second);
  live.tokens.erase(token);
  activities_.RemoveTask(arn, task);
}

const TaskAddress* Executions::FindToken(const std::string& token) const {
  const auto found = tokens_.find(token);
  return found == tokens_.end() ? nullptr : &found->second;
}

void Executions::RunTask(const std::string& arn, Live& live, TaskRequest task) {
  if (!task.token.empty()) {
    live.tokens[task.id] = task.token;
    tokens_[task.token] = {.execution_arn = arn, .task = task.id};
  }
  const TaskPattern pattern = task.resource.pattern;
  if (task.resource.kind == TaskKind::kActivity) {
    // One that a worker has is the worker's.
    if (!task.started) RunActivity(arn, task);
    return;
  }
  if (task.submitted.has_value()) {
    if (pattern == TaskPattern::kSync || pattern == TaskPattern::kSync2) {
      AwaitChild(arn, task.id, pattern, ChildArnOf(*task.submitted));
    }
    return;
  }
  if (!begun_) {
    held_.emplace_back(arn, std::move(task));
    return;
  }
  CallService(arn, live, std::move(task));
}

void Executions::RunActivity(const std::string& arn, const TaskRequest& task) {
  const std::string activity = task.resource.arn;
  ActivityTask queued{.execution_arn = arn,
                      .task = task.id,
                      .token = task.token,
                      .input = task.arguments.ToJson()};
  if (task.submitted.has_value()) {
    return activities_.AddTask(activity, std::move(queued));
  }
  world_.loop.Submit(
      [this, activity, queued = std::move(queued)]() -> AfterCommit {
        if (world_.catalog.FindActivity(activity) == nullptr) {
          Apply(queued.execution_arn,
                TaskFailed{.task = queued.task,
                           .error = "States.Runtime",
                           .cause = absl::StrCat("The activity ", activity,
                                                 " does not exist.")});
          return TakeEffects();
        }
        Apply(queued.execution_arn,
              TaskSubmitted{.task = queued.task, .output = Data()});
        return TakeEffects([this, epoch = epoch_, activity,
                            queued](const absl::Status& committed) {
          if (!committed.ok() || epoch != epoch_) return;
          if (FindToken(queued.token) != nullptr) {
            activities_.AddTask(activity, queued);
          }
        });
      });
}

void Executions::CallService(const std::string& arn, const Live& live,
                             TaskRequest task) {
  if (!requests_.emplace(arn, task.id).second) return;
  const absl::StatusOr<MachineArn> machine =
      ParseMachineArn(live.kept.machine_arn());
  TaskCall call{.resource = task.resource,
                .arguments = task.arguments,
                .role_arn = task.role_arn.value_or(live.kept.role_arn()),
                .execution_arn = task.execution_arn};
  if (machine.ok()) {
    call.region = machine->place.region;
    call.account_id = machine->place.account_id;
  }
  world_.tasks.Run(
      std::move(call), [this, gate = world_.gate, arn,
                        task = std::make_shared<TaskRequest>(std::move(task))](
                           TaskOutcome outcome) {
        gate->Submit(
            [this, arn, task, outcome = std::move(outcome)]() -> AfterCommit {
              HandleOutcome(arn, *task, outcome);
              return TakeEffects();
            });
      });
}

void Executions::HandleOutcome(const std::string& arn, const TaskRequest& task,
                               TaskOutcome outcome) {
  requests_.erase({arn, task.id});
  if (const auto* failure = std::get_if<TaskFailure>(&outcome)) {
    return Apply(arn, TaskFailed{.task = task.id,
                                 .error = failure->error,
                                 .cause = failure->cause});
  }
  Data& output = std::get<Data>(outcome);
  const TaskPattern pattern = task.resource.pattern;
  if (pattern == TaskPattern::kRequestResponse) {
    return Apply(arn,
                 TaskSucceeded{.task = task.id, .output = std::move(output)});
  }
  const std::string child = ChildArnOf(output);
  Apply(arn, TaskSubmitted{.task = task.id, .output = std::move(output)});
  if (pattern != TaskPattern::kWaitForTaskToken) {
    AwaitChild(arn, task.id, pattern, child);
  }
}

void Executions::AwaitChild(const std::string& arn, TaskId task,
                            TaskPattern pattern, const std::string& child_arn) {
  OnEnd(child_arn, [this, arn, task, pattern](const kept::Execution& child) {
    Data output =
        ChildResult(child, pattern == TaskPattern::kSync2 ? ChildOutput::kParsed
                                                          : ChildOutput::kText);
    if (child.status() == kept::SUCCEEDED) {
      return ApplyLater(
          arn, TaskSucceeded{.task = task, .output = std::move(output)});
    }
    ApplyLater(arn, TaskFailed{.task = task,
                               .error = "States.TaskFailed",
                               .cause = output.ToJson()});
  });
}

void Executions::OnEnd(const std::string& arn, EndFunction done) {
  if (live_.contains(arn)) {
    waiting_[arn].push_back(std::move(done));
    return;
  }
  const absl::StatusOr<std::optional<kept::Execution>> kept = FindKept(arn);
  if (kept.ok() && kept->has_value()) done(**kept);
}

void Executions::TellEnd(const std::string& arn, const kept::Execution& kept) {
  const auto found = waiting_.find(arn);
  if (found == waiting_.end()) return;
  const std::vector<EndFunction> functions = std::move(found->second);
  waiting_.erase(found);
  for (const EndFunction& done : functions) done(kept);
}

}  // namespace byoshin::local::stepfunctions
