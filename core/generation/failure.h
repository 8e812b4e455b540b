// Failures of the worker: the error name that the workflow sees, and the code
// that the process keeps.
//
//   const Failure failure = FailureOfModel(status);
//   failure.name;        // "ThrottlingException": the workflow tries again
//   failure.error.code;  // "AI_THROTTLING": kept if all attempts fail
#ifndef BYOSHIN_CORE_GENERATION_FAILURE_H_
#define BYOSHIN_CORE_GENERATION_FAILURE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/generation/message.h"
#include "core/generation/process.h"

namespace byoshin::generation {

// Error names that the workflow retries.
inline constexpr char kThrottlingFailure[] = "ThrottlingException";
inline constexpr char kUnavailableFailure[] = "ServiceUnavailableException";
inline constexpr char kDatabaseConnectionFailure[] = "DatabaseConnectionError";
inline constexpr char kNetworkFailure[] = "NetworkError";
inline constexpr const char* kRetryableFailures[] = {
    kThrottlingFailure, kUnavailableFailure, kDatabaseConnectionFailure,
    kNetworkFailure};

// Error names that it does not retry.
inline constexpr char kModelFailure[] = "ModelError";
inline constexpr char kResponseInvalidFailure[] = "ModelResponseInvalid";
inline constexpr char kDatabaseFailure[] = "DatabaseError";
// The process was over before: cancelled, timed out or closed.
inline constexpr char kProcessEndedFailure[] = "ProcessEnded";
// The worker stopped before the function's deadline. Names with "States." are
// Step Functions' own.
inline constexpr char kDeadlineFailure[] = "WorkerTimeout";
// Step Functions' own, for a task that took too long or sent no heartbeat.
inline constexpr char kTimeoutFailure[] = "States.Timeout";

struct Failure {
  std::string name{};
  ProcessError error{};

  friend bool operator==(const Failure&, const Failure&) = default;
};

// The code and the message for users that a process keeps after a failure of
// this name; AI_ERROR for an unknown one, such as "Lambda.Unknown".
ProcessError ProcessErrorOf(absl::string_view failure_name);

// The message of a process's error; the stored one, which is Japanese, unless
// the code is known.
std::string MessageOf(const ProcessError& error, Language language);

// An error of aws::bedrock::Client.
Failure FailureOfModel(const absl::Status& status);
// An error of a store.
Failure FailureOfDatabase(const absl::Status& status);
// A failure of this name.
Failure FailureNamed(absl::string_view name);

// An error of ProcessingStateService with the name by which the workflow
// decides whether to try again, as the error type of a function.
absl::Status WithFailureName(const absl::Status& status);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_FAILURE_H_
