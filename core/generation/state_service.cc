#include "core/generation/state_service.h"

#include <cstdint>
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
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"

namespace byoshin::generation {
namespace {

// Retries of one series at the same time compete for the next count.
constexpr int kRetryInsertions = kMaxRetries + 1;

absl::Status Forbidden(absl::string_view process_id) {
  return ToStatus({.code = ErrorCode::kForbidden},
                  absl::StrCat("process ", process_id,
                               " does not exist or is another user's"));
}

}  // namespace

ProcessingStateService::ProcessingStateService(Dependencies dependencies)
    : dependencies_(std::move(dependencies)) {}

absl::Status ProcessingStateService::Admit(absl::string_view user_id,
                                           absl::Time deadline) {
  const absl::StatusOr<bool> admitted =
      dependencies_.store.Admit(user_id, NowInMilliseconds(), deadline);
  if (!admitted.ok()) return AsDatabaseError(admitted.status());
  if (*admitted) return absl::OkStatus();
  return ToStatus(
      {.code = ErrorCode::kRateLimitExceeded, .retryable = Retryable::kYes},
      absl::StrCat("more than ", kRateLimit, " requests in ",
                   absl::FormatDuration(kRateWindow)));
}

absl::StatusOr<Process> ProcessingStateService::Create(
    absl::string_view user_id, const GenerateRequest& request,
    absl::Time deadline) {
  const absl::Time now = NowInMilliseconds();
  Process process{.id = dependencies_.new_id(),
                  .user_id = std::string(user_id),
                  .type = request.type,
                  .target_id = request.target.id,
                  .params = request.params,
                  .created_at = now,
                  .updated_at = now};
  process.origin_id = process.id;
  absl::StatusOr<std::string> execution_arn =
      ExecutionArnFor(dependencies_.state_machine_arn, process.id);
  if (!execution_arn.ok()) return AsWorkflowError(execution_arn.status());
  process.execution_arn = *std::move(execution_arn);
  const absl::Status inserted = dependencies_.store.Insert(process, deadline);
  if (!inserted.ok()) return AsDatabaseError(inserted);
  return process;
}

absl::Time ProcessingStateService::NowInMilliseconds() const {
  return absl::FromUnixMillis(absl::ToUnixMillis(dependencies_.clock.Now()));
}

absl::StatusOr<Process> ProcessingStateService::Find(
    absl::string_view process_id, absl::Time deadline) {
  absl::StatusOr<std::optional<Process>> process =
      dependencies_.store.Find(process_id, deadline);
  if (!process.ok()) return AsDatabaseError(process.status());
  if (!process->has_value()) return Forbidden(process_id);
  return **std::move(process);
}

absl::StatusOr<Process> ProcessingStateService::Get(
    absl::string_view user_id, absl::string_view process_id,
    absl::Time deadline) {
  absl::StatusOr<Process> process = Find(process_id, deadline);
  if (process.ok() && process->user_id != user_id) return Forbidden(process_id);
  return process;
}

absl::Status ProcessingStateService::WhyNoRetry(const Process& source) const {
  if (!CanRetry(source.status)) {
    return ToStatus(
        {.code = ErrorCode::kRetryNotAllowed},
        absl::StrCat("process ", source.id, " is ", NameOf(source.status)));
  }
  return ToStatus({.code = ErrorCode::kMaxRetryExceeded},
                  absl::StrCat("process ", source.id, " was retried ",
                               kMaxRetries, " times"));
}

absl::StatusOr<Process> ProcessingStateService::Retry(
    absl::string_view user_id, absl::string_view process_id,
    absl::Time deadline) {
  absl::Status last;
  for (int i = 0; i < kRetryInsertions; ++i) {
    NewRetry retry{.source_id = std::string(process_id),
                   .user_id = std::string(user_id),
                   .id = dependencies_.new_id(),
                   .now = NowInMilliseconds()};
    absl::StatusOr<std::string> execution_arn =
        ExecutionArnFor(dependencies_.state_machine_arn, retry.id);
    if (!execution_arn.ok()) return AsWorkflowError(execution_arn.status());
    retry.execution_arn = *std::move(execution_arn);
    absl::StatusOr<std::optional<Process>> process =
        dependencies_.store.InsertRetry(retry, deadline);
    if (process.ok() && process->has_value()) return **std::move(process);
    if (process.ok()) {
      const absl::StatusOr<Process> source = Get(user_id, process_id, deadline);
      return source.ok() ? WhyNoRetry(*source) : source.status();
    }
    last = process.status();
    if (!absl::IsAlreadyExists(last)) break;
  }
  return AsDatabaseError(last);
}

absl::StatusOr<Process> ProcessingStateService::Cancel(
    absl::string_view user_id, absl::string_view process_id,
    absl::Time deadline) {
  const absl::Time now = NowInMilliseconds();
  absl::StatusOr<std::optional<Process>> cancelled =
      dependencies_.store.Move({.process_id = std::string(process_id),
                                .user_id = std::string(user_id),
                                .to = ProcessStatus::kCancelled,
                                .now = now},
                               deadline);
  if (!cancelled.ok()) return AsDatabaseError(cancelled.status());
  if (cancelled->has_value()) return **std::move(cancelled);
  absl::StatusOr<Process> process = Get(user_id, process_id, deadline);
  if (!process.ok()) return process;
  // The store may have sent the change twice because the first answer was lost.
  if (process->status == ProcessStatus::kCancelled &&
      process->completed_at == now) {
    return process;
  }
  return ToStatus(
      {.code = ErrorCode::kCancelNotAllowed},
      absl::StrCat("process ", process_id, " is ", NameOf(process->status)));
}

absl::StatusOr<HistoryPage> ProcessingStateService::History(
    absl::string_view user_id, const HistoryQuery& query, absl::Time deadline) {
  absl::StatusOr<HistoryPage> page =
      dependencies_.store.List(user_id, query, deadline);
  if (!page.ok()) return AsDatabaseError(page.status());
  return page;
}

absl::StatusOr<ProcessingStateService::Update> ProcessingStateService::Move(
    absl::string_view process_id, ProcessStatus to,
    const std::optional<ProcessError>& error, absl::Time deadline) {
  absl::StatusOr<std::optional<Process>> moved =
      dependencies_.store.Move({.process_id = std::string(process_id),
                                .to = to,
                                .error = error,
                                .now = NowInMilliseconds()},
                               deadline);
  if (!moved.ok()) return AsDatabaseError(moved.status());
  if (moved->has_value()) {
    return Update{.process = **std::move(moved), .changed = true};
  }
  absl::StatusOr<Process> process = Find(process_id, deadline);
  if (!process.ok()) return process.status();
  return Update{.process = *std::move(process), .changed = false};
}

absl::StatusOr<ProcessingStateService::Update>
ProcessingStateService::CloseByOutcome(
    absl::string_view process_id, aws::stepfunctions::ExecutionStatus outcome,
    absl::Time deadline) {
  using aws::stepfunctions::ExecutionStatus;
  switch (outcome) {
    case ExecutionStatus::kFailed:
      return Move(process_id, ProcessStatus::kFailed, ProcessErrorOf(""),
                  deadline);
    case ExecutionStatus::kTimedOut:
      return Move(process_id, ProcessStatus::kTimeout,
                  ProcessErrorOf(kTimeoutFailure), deadline);
    case ExecutionStatus::kAborted:
      return Move(process_id, ProcessStatus::kCancelled, std::nullopt,
                  deadline);
    case ExecutionStatus::kRunning:
    case ExecutionStatus::kSucceeded:
    case ExecutionStatus::kPendingRedrive:
      break;
  }
  absl::StatusOr<Process> process = Find(process_id, deadline);
  if (!process.ok()) return process.status();
  return Update{.process = *std::move(process), .changed = false};
}

absl::StatusOr<std::int64_t> ProcessingStateService::CountPending(
    absl::Time deadline) {
  const absl::StatusOr<std::int64_t> count =
      dependencies_.store.CountPending(deadline);
  if (!count.ok()) return AsDatabaseError(count.status());
  return *count;
}

bool ProcessingStateService::IsUnstarted(const Process& process) const {
  return process.status == ProcessStatus::kPending &&
         process.created_at < NowInMilliseconds() - kUnstartedAfter;
}

absl::StatusOr<std::vector<Process>> ProcessingStateService::Unstarted(
    absl::Time deadline) {
  absl::StatusOr<std::vector<Process>> processes =
      dependencies_.store.ListPending(NowInMilliseconds() - kUnstartedAfter,
                                      kMaxSweptProcesses, deadline);
  if (!processes.ok()) return AsDatabaseError(processes.status());
  return processes;
}

absl::StatusOr<ProcessingStateService::CleanUp>
ProcessingStateService::RemoveOld(absl::Time deadline) {
  const absl::Time now = NowInMilliseconds();
  const absl::StatusOr<std::int64_t> removed =
      dependencies_.store.RemoveCreatedBefore(now - kRetention, deadline);
  if (!removed.ok()) return AsDatabaseError(removed.status());
  const absl::StatusOr<std::int64_t> closed =
      dependencies_.store.CloseCreatedBefore(now - kAbandonedAfter,
                                             ProcessErrorOf(kTimeoutFailure),
                                             now, deadline);
  if (!closed.ok()) return AsDatabaseError(closed.status());
  return CleanUp{.removed = *removed, .closed = *closed};
}

}  // namespace byoshin::generation
