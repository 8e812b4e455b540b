#include "core/generation/worker.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/api_error.h"
#include "core/generation/asker.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/goal_store.h"
#include "core/generation/model_answer.h"
#include "core/generation/process.h"
#include "core/generation/prompts.h"
#include "core/generation/request.h"
#include "core/generation/result.h"
#include "core/json/json.h"
#include "core/lambda/error_type.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {
namespace {

// The goal as the request has it; `goal` of the database may be newer.
Goal GoalOfParams(const Process& process, const GenerationParams& params) {
  return {.id = process.target_id,
          .user_id = process.user_id,
          .title = params.title(),
          .description = params.description(),
          .deadline = params.deadline(),
          .background = params.background(),
          .constraints = params.constraints()};
}

}  // namespace

class Worker::Job {
 public:
  Job(const Worker& worker, std::string token, absl::Time deadline)
      : dependencies_(worker.dependencies_),
        asker_(dependencies_.models, dependencies_.clock, worker.config_),
        token_(std::move(token)),
        deadline_(deadline) {}

  // nullopt if the process was worked through.
  std::optional<Problem> Run(const std::string& process_id);
  const Process& process() const { return process_; }

 private:
  enum class From { kModel, kDatabase };

  std::optional<Problem> Load(const std::string& process_id);
  std::optional<Problem> WorkThrough(std::vector<WorkItem> items);
  std::optional<Problem> Work(const WorkItem& item, int progress);
  std::optional<Problem> Finish();
  // Saves the parts of the goal, and before that the progress that there are
  // any.
  absl::StatusOr<bool> SaveSubGoals(const std::vector<SubGoal>& parts,
                                    const Saving& saving);
  // Asks until `parse` accepts; the parts get ids.
  template <typename T, typename Parse>
  absl::StatusOr<std::vector<T>> AskFor(const WorkItem& item, Parse parse);
  // Before each question: OK if there is time, and the task still waits.
  absl::Status Continue();

  static Problem ProblemOf(From from, const absl::Status& status);
  static std::optional<Problem> ProblemUnlessSaved(
      const absl::StatusOr<bool>& saved);

  const Dependencies& dependencies_;
  Asker asker_;
  const std::string token_;
  const absl::Time deadline_;
  Process process_;
  Target target_;
  Goal goal_;
};

Worker::Problem Worker::Job::ProblemOf(From from, const absl::Status& status) {
  if (const std::optional<std::string> name = lambda::ErrorTypeOf(status);
      name.has_value()) {
    return {.failure = FailureNamed(*name), .status = status};
  }
  if (IsUnacceptableAnswer(status)) {
    return {.failure = FailureNamed(kResponseInvalidFailure), .status = status};
  }
  return {.failure = from == From::kModel ? FailureOfModel(status)
                                          : FailureOfDatabase(status),
          .status = status};
}

std::optional<Worker::Problem> Worker::Job::ProblemUnlessSaved(
    const absl::StatusOr<bool>& saved) {
  if (!saved.ok()) return ProblemOf(From::kDatabase, saved.status());
  if (*saved) return std::nullopt;
  return Problem{
      .failure = FailureNamed(kProcessEndedFailure),
      .status = absl::FailedPreconditionError("the process is over")};
}

std::optional<Worker::Problem> Worker::Job::Load(
    const std::string& process_id) {
  absl::StatusOr<std::optional<Process>> process =
      dependencies_.processes.Find(process_id, deadline_);
  if (!process.ok()) return ProblemOf(From::kDatabase, process.status());
  if (!process->has_value()) {
    return ProblemOf(From::kDatabase,
                     absl::NotFoundError("the process does not exist"));
  }
  process_ = **std::move(process);
  if (IsFinal(process_.status)) return ProblemUnlessSaved(false);
  const absl::StatusOr<GenerationParams> params =
      json::FromJson<GenerationParams>(process_.params);
  absl::StatusOr<Target> target = TargetOf(process_.params);
  if (!params.ok() || !target.ok()) {
    return ProblemOf(From::kDatabase,
                     absl::InternalError("the process's params are invalid"));
  }
  target_ = *std::move(target);
  if (process_.type == ProcessType::kSubGoals) {
    goal_ = GoalOfParams(process_, *params);
    return std::nullopt;
  }
  absl::StatusOr<std::optional<Goal>> goal =
      dependencies_.goals.GoalOf(target_, deadline_);
  if (!goal.ok()) return ProblemOf(From::kDatabase, goal.status());
  if (!goal->has_value() || (*goal)->user_id != process_.user_id) {
    return ProblemOf(From::kDatabase,
                     absl::NotFoundError("the goal no longer exists"));
  }
  goal_ = **std::move(goal);
  return std::nullopt;
}

absl::Status Worker::Job::Continue() {
  if (dependencies_.clock.Now() >= deadline_) {
    return lambda::WithErrorType(
        absl::DeadlineExceededError(
            "no time was left before the function's deadline"),
        kDeadlineFailure);
  }
  const absl::Status sent =
      dependencies_.workflow.SendTaskHeartbeat(token_, deadline_);
  if (absl::IsFailedPrecondition(sent) || absl::IsNotFound(sent)) {
    return lambda::WithErrorType(
        absl::FailedPreconditionError("the task is no longer waited for"),
        kProcessEndedFailure);
  }
  // Any other failure is no reason to stop: the next may arrive in time.
  if (!sent.ok()) {
    dependencies_.logger.Warning(
        "heartbeat not sent", {{"processId", process_.id},
                               {"code", absl::StatusCodeToString(sent.code())},
                               {"error", absl::string_view(sent.message())}});
  }
  return absl::OkStatus();
}

template <typename T, typename Parse>
absl::StatusOr<std::vector<T>> Worker::Job::AskFor(const WorkItem& item,
                                                   Parse parse) {
  std::vector<T> parts;
  absl::Status status = asker_.Ask(
      process_.type, PromptFor(process_.type, goal_, item),
      [&](absl::string_view answer) -> absl::Status {
        absl::StatusOr<std::vector<T>> parsed = parse(answer);
        if (!parsed.ok()) return parsed.status();
        parts = *std::move(parsed);
        return absl::OkStatus();
      },
      [this] { return Continue(); }, deadline_);
  if (!status.ok()) return status;
  for (T& part : parts) part.id = dependencies_.new_id();
  return parts;
}

absl::StatusOr<bool> Worker::Job::SaveSubGoals(
    const std::vector<SubGoal>& parts, const Saving& saving) {
  absl::StatusOr<bool> active = dependencies_.processes.Advance(
      process_.id, kModelAnsweredProgress, saving.now, deadline_);
  if (!active.ok() || !*active) return active;
  return dependencies_.goals.SaveSubGoals(saving, goal_, parts, deadline_);
}

std::optional<Worker::Problem> Worker::Job::Work(const WorkItem& item,
                                                 int progress) {
  const auto saving = [&] {
    return Saving{.process_id = process_.id,
                  .origin_id = process_.origin_id,
                  .progress = progress,
                  .now = dependencies_.clock.Now()};
  };
  switch (process_.type) {
    case ProcessType::kSubGoals: {
      const absl::StatusOr<std::vector<SubGoal>> parts =
          AskFor<SubGoal>(item, ParseSubGoals);
      if (!parts.ok()) return ProblemOf(From::kModel, parts.status());
      return ProblemUnlessSaved(SaveSubGoals(*parts, saving()));
    }
    case ProcessType::kActions: {
      const absl::StatusOr<std::vector<Action>> parts =
          AskFor<Action>(item, ParseActions);
      if (!parts.ok()) return ProblemOf(From::kModel, parts.status());
      return ProblemUnlessSaved(dependencies_.goals.SaveActions(
          saving(), item.id, *parts, deadline_));
    }
    case ProcessType::kTasks:
      break;
  }
  const absl::StatusOr<std::vector<Task>> parts =
      AskFor<Task>(item, ParseTasks);
  if (!parts.ok()) return ProblemOf(From::kModel, parts.status());
  return ProblemUnlessSaved(
      dependencies_.goals.SaveTasks(saving(), item.id, *parts, deadline_));
}

std::optional<Worker::Problem> Worker::Job::WorkThrough(
    std::vector<WorkItem> items) {
  // What is done comes first in the count, wherever it is in the list.
  const int total = static_cast<int>(items.size());
  int done = static_cast<int>(
      std::count_if(items.begin(), items.end(),
                    [](const WorkItem& item) { return item.done; }));
  if (done > 0) {
    const absl::StatusOr<bool> active =
        dependencies_.processes.Advance(process_.id, ProgressOf(done, total),
                                        dependencies_.clock.Now(), deadline_);
    if (auto problem = ProblemUnlessSaved(active); problem.has_value()) {
      return problem;
    }
  }
  for (const WorkItem& item : items) {
    if (item.done) continue;
    ++done;
    if (auto problem = Work(item, ProgressOf(done, total));
        problem.has_value()) {
      return problem;
    }
  }
  return std::nullopt;
}

std::optional<Worker::Problem> Worker::Job::Finish() {
  const absl::StatusOr<std::string> result =
      ResultJson(dependencies_.goals, process_.type, target_, deadline_);
  if (!result.ok()) return ProblemOf(From::kDatabase, result.status());
  return ProblemUnlessSaved(dependencies_.processes.SaveResult(
      process_.id, *result, dependencies_.clock.Now(), deadline_));
}

std::optional<Worker::Problem> Worker::Job::Run(const std::string& process_id) {
  if (auto problem = Load(process_id); problem.has_value()) return problem;
  absl::StatusOr<std::vector<WorkItem>> items = dependencies_.goals.Items(
      process_.type, target_, process_.origin_id, deadline_);
  if (!items.ok()) return ProblemOf(From::kDatabase, items.status());
  if (items->empty()) {
    // They were there when the process was created.
    return ProblemOf(From::kDatabase,
                     absl::NotFoundError("the goal's parts no longer exist"));
  }
  std::optional<Problem> problem = WorkThrough(*std::move(items));
  if (!problem.has_value()) problem = Finish();
  dependencies_.logger.Log(log::Level::kInfo, "model asked",
                           {{"processId", process_.id},
                            {"type", NameOf(process_.type)},
                            {"questions", asker_.questions()},
                            {"tokens", asker_.tokens()}});
  return problem;
}

Worker::Worker(ModelConfig config, Dependencies dependencies)
    : config_(std::move(config)), dependencies_(std::move(dependencies)) {}

absl::Status Worker::ReportFailure(const std::string& token,
                                   const Problem& problem,
                                   absl::Time deadline) {
  // The cause is kept in the execution's history: no details in it.
  const absl::Status sent = dependencies_.workflow.SendTaskFailure(
      {.token = token,
       .error = problem.failure.name,
       .cause = problem.failure.error.code},
      deadline);
  if (!sent.ok()) {
    dependencies_.logger.Warning(
        "failure not reported with the task's token",
        {{"code", absl::StatusCodeToString(sent.code())},
         {"error", absl::string_view(sent.message())}});
  }
  return lambda::WithErrorType(problem.status, problem.failure.name);
}

absl::StatusOr<std::string> Worker::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<WorkerEvent> event =
      json::FromJson<WorkerEvent>(invocation.payload);
  if (!event.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "not an event for the worker: ", event.status().message()));
  }
  Job job(*this, event->task_token(), invocation.deadline - kDeadlineMargin);
  const std::optional<Problem> problem = job.Run(event->process_id());
  if (problem.has_value()) {
    return ReportFailure(event->task_token(), *problem, invocation.deadline);
  }
  WorkerResult result;
  result.set_process_id(event->process_id());
  result.set_progress(kCompleteProgress);
  std::string output = json::ToJson(result);
  const absl::Status sent = dependencies_.workflow.SendTaskSuccess(
      event->task_token(), output, invocation.deadline);
  // FailedPrecondition: the task has ended, by an earlier attempt to send this,
  // or because it timed out; either way nothing is left to do.
  if (!sent.ok() && !absl::IsFailedPrecondition(sent)) {
    return lambda::WithErrorType(sent, kNetworkFailure);
  }
  return output;
}

}  // namespace byoshin::generation
