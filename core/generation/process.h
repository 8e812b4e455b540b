// A process: one request for generation, its states and the rules between them.
//
//   PENDING -> PROCESSING -> COMPLETED, FAILED, TIMEOUT or CANCELLED
//
// PENDING may also go to a final state directly. A final state never changes.
#ifndef BYOSHIN_CORE_GENERATION_PROCESS_H_
#define BYOSHIN_CORE_GENERATION_PROCESS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::generation {

enum class ProcessType { kSubGoals, kActions, kTasks };
inline constexpr ProcessType kProcessTypes[] = {
    ProcessType::kSubGoals, ProcessType::kActions, ProcessType::kTasks};

enum class ProcessStatus {
  kPending,
  kProcessing,
  kCompleted,
  kFailed,
  kTimeout,
  kCancelled,
};
inline constexpr ProcessStatus kProcessStatuses[] = {
    ProcessStatus::kPending,   ProcessStatus::kProcessing,
    ProcessStatus::kCompleted, ProcessStatus::kFailed,
    ProcessStatus::kTimeout,   ProcessStatus::kCancelled};

// "SUBGOAL_GENERATION", "PENDING": as in the API and the database.
absl::string_view NameOf(ProcessType type);
absl::string_view NameOf(ProcessStatus status);
std::optional<ProcessType> ProcessTypeOf(absl::string_view name);
std::optional<ProcessStatus> ProcessStatusOf(absl::string_view name);

// Codes kept in a process's `error`.
inline constexpr char kAiError[] = "AI_ERROR";
inline constexpr char kAiThrottling[] = "AI_THROTTLING";
inline constexpr char kAiResponseInvalid[] = "AI_RESPONSE_INVALID";
inline constexpr char kProcessDatabaseError[] = "DATABASE_ERROR";
inline constexpr char kTimeoutError[] = "TIMEOUT_ERROR";

struct ProcessError {
  std::string code{};
  // For the user, in Japanese.
  std::string message{};

  friend bool operator==(const ProcessError&, const ProcessError&) = default;
};

struct Process {
  std::string id{};
  // The first of a series of retries; the process's own id if it is the first.
  std::string origin_id{};
  std::string user_id{};
  ProcessType type = ProcessType::kSubGoals;
  ProcessStatus status = ProcessStatus::kPending;
  // The goal, sub-goal or action that is worked on.
  std::string target_id{};
  // The parameters of the request: JSON, a GenerationParams of
  // proto/generation.proto.
  std::string params{};
  int progress = 0;
  // JSON; empty until the worker has finished.
  std::string result{};
  std::optional<ProcessError> error{};
  int retry_count = 0;
  absl::Time created_at{};
  absl::Time updated_at{};
  std::optional<absl::Time> completed_at{};
  std::string execution_arn{};

  friend bool operator==(const Process&, const Process&) = default;
};

bool IsFinal(ProcessStatus status);
// PENDING or PROCESSING.
inline bool IsActive(ProcessStatus status) { return !IsFinal(status); }
bool CanRetry(ProcessStatus status);
bool CanMove(ProcessStatus from, ProcessStatus to);

absl::Time EstimatedCompletionTime(const Process& process);

// The percentage of `done` items of `total`, rounded down; 100 if there are
// none.
int ProgressOf(int done, int total);

// The ARN of the execution that is named after the process.
// InvalidArgument if `state_machine_arn` is not the ARN of a state machine.
absl::StatusOr<std::string> ExecutionArnFor(absl::string_view state_machine_arn,
                                            absl::string_view process_id);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_PROCESS_H_
