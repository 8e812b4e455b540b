#include "core/generation/clean_up_handler.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/metrics.h"
#include "core/generation/process.h"
#include "core/generation/state_service.h"
#include "core/json/json.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {

using aws::stepfunctions::ExecutionStatus;

absl::StatusOr<bool> CleanUpHandler::EndByExecution(const Process& process,
                                                    absl::Time deadline) {
  const absl::StatusOr<ExecutionStatus> outcome =
      dependencies_.workflow.OutcomeOf(process, deadline);
  if (!outcome.ok()) return outcome.status();
  // An execution that has succeeded has closed its process: this one has lost
  // that, such as by a backup that was restored.
  const absl::StatusOr<ProcessingStateService::Update> update =
      *outcome == ExecutionStatus::kSucceeded
          ? dependencies_.states.Move(process.id, ProcessStatus::kFailed,
                                      ProcessErrorOf(""), deadline)
          : dependencies_.states.CloseByOutcome(process.id, *outcome, deadline);
  if (!update.ok()) return update.status();
  if (!update->changed) return false;
  dependencies_.logger.Warning(
      "process ended: its execution has ended",
      {{"processId", process.id}, {"status", NameOf(update->process.status)}});
  dependencies_.logger.EmitMetrics(
      kMetricsNamespace, {}, EndMetrics(update->process),
      {{"processId", process.id}, {"type", NameOf(process.type)}});
  return true;
}

absl::Status CleanUpHandler::Repair(const Process& process, absl::Time deadline,
                                    Swept& swept) {
  absl::Status started = dependencies_.workflow.Start(process, deadline);
  if (started.ok()) {
    dependencies_.logger.Warning("execution of a pending process started",
                                 {{"processId", process.id}});
    ++swept.started;
    return started;
  }
  if (!absl::IsAlreadyExists(started)) return started;
  const absl::StatusOr<bool> ended = EndByExecution(process, deadline);
  if (ended.ok() && *ended) ++swept.ended;
  return ended.status();
}

absl::StatusOr<CleanUpHandler::Swept> CleanUpHandler::StartPending(
    absl::Time deadline) {
  const absl::StatusOr<std::vector<Process>> pending =
      dependencies_.states.Unstarted(deadline);
  if (!pending.ok()) return pending.status();
  Swept swept;
  for (const Process& process : *pending) {
    const absl::Status status = Repair(process, deadline, swept);
    if (status.ok()) continue;
    dependencies_.logger.Error(
        "pending process not repaired",
        {{"processId", process.id},
         {"error", absl::string_view(status.message())}});
    // The others would fail likewise, after as long a time.
    if (IsTransient(status)) break;
  }
  return swept;
}

absl::StatusOr<std::string> CleanUpHandler::Handle(
    const lambda::Invocation& invocation) {
  const absl::Time deadline = invocation.deadline - kDeadlineMargin;
  // First, so that processes that are closed here are not started.
  const absl::StatusOr<ProcessingStateService::CleanUp> done =
      dependencies_.states.RemoveOld(deadline);
  if (!done.ok()) return WithFailureName(done.status());
  const absl::StatusOr<Swept> swept = StartPending(deadline);
  if (!swept.ok()) return WithFailureName(swept.status());
  CleanUpResult result;
  result.set_started(swept->started);
  result.set_ended(swept->ended);
  result.set_closed(done->closed);
  result.set_removed(done->removed);
  dependencies_.logger.Info("swept", {{"started", result.started()},
                                      {"ended", result.ended()},
                                      {"closed", result.closed()},
                                      {"removed", result.removed()}});
  return json::ToJson(result);
}

}  // namespace byoshin::generation
