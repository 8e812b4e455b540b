#include "core/generation/process.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"

namespace byoshin::generation {

absl::string_view NameOf(ProcessType type) {
  switch (type) {
    case ProcessType::kSubGoals:
      return "SUBGOAL_GENERATION";
    case ProcessType::kActions:
      return "ACTION_GENERATION";
    case ProcessType::kTasks:
      break;
  }
  return "TASK_GENERATION";
}

absl::string_view NameOf(ProcessStatus status) {
  switch (status) {
    case ProcessStatus::kPending:
      return "PENDING";
    case ProcessStatus::kProcessing:
      return "PROCESSING";
    case ProcessStatus::kCompleted:
      return "COMPLETED";
    case ProcessStatus::kFailed:
      return "FAILED";
    case ProcessStatus::kTimeout:
      return "TIMEOUT";
    case ProcessStatus::kCancelled:
      break;
  }
  return "CANCELLED";
}

std::optional<ProcessType> ProcessTypeOf(absl::string_view name) {
  for (const ProcessType type : kProcessTypes) {
    if (NameOf(type) == name) return type;
  }
  return std::nullopt;
}

std::optional<ProcessStatus> ProcessStatusOf(absl::string_view name) {
  for (const ProcessStatus status : kProcessStatuses) {
    if (NameOf(status) == name) return status;
  }
  return std::nullopt;
}

bool IsFinal(ProcessStatus status) {
  return status != ProcessStatus::kPending &&
         status != ProcessStatus::kProcessing;
}

bool CanRetry(ProcessStatus status) {
  return status == ProcessStatus::kFailed || status == ProcessStatus::kTimeout;
}

bool CanMove(ProcessStatus from, ProcessStatus to) {
  if (to == ProcessStatus::kPending) return false;
  if (to == ProcessStatus::kProcessing) return from == ProcessStatus::kPending;
  return IsActive(from);
}

absl::Time EstimatedCompletionTime(const Process& process) {
  switch (process.type) {
    case ProcessType::kSubGoals:
      return process.created_at + kSubGoalEstimate;
    case ProcessType::kActions:
      return process.created_at + kActionEstimate;
    case ProcessType::kTasks:
      break;
  }
  return process.created_at + kTaskEstimate;
}

int ProgressOf(int done, int total) {
  return total <= 0 ? kCompleteProgress : done * kCompleteProgress / total;
}

// arn:aws:states:us-east-1:123456789012:stateMachine:NAME becomes
// arn:aws:states:us-east-1:123456789012:execution:NAME:ID.
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsstepfunctions.html
absl::StatusOr<std::string> ExecutionArnFor(absl::string_view state_machine_arn,
                                            absl::string_view process_id) {
  std::vector<absl::string_view> parts = absl::StrSplit(state_machine_arn, ':');
  constexpr int kParts = 7;
  constexpr int kResourceType = 5;
  if (parts.size() != kParts || parts[0] != "arn" || parts[2] != "states" ||
      parts[kResourceType] != "stateMachine" || parts.back().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("not the ARN of a state machine: ", state_machine_arn));
  }
  parts[kResourceType] = "execution";
  parts.push_back(process_id);
  return absl::StrJoin(parts, ":");
}

}  // namespace byoshin::generation
