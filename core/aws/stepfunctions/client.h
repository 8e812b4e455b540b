// The part of AWS Step Functions that Byoshin's functions call.
//
// JsonClient (json_client.h) speaks the wire protocol itself.
#ifndef BYOSHIN_CORE_AWS_STEPFUNCTIONS_CLIENT_H_
#define BYOSHIN_CORE_AWS_STEPFUNCTIONS_CLIENT_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::aws::stepfunctions {

// AWS's limits on the error and the cause of a failure, in characters.
inline constexpr std::size_t kMaxErrorLength = 256;
inline constexpr std::size_t kMaxCauseLength = 32768;

struct StartExecutionRequest {
  std::string state_machine_arn{};
  // Unique among the executions of the state machine of the last 90 days.
  // Empty: AWS makes one up, and a lost answer may leave an execution behind.
  std::string name{};
  std::string input = "{}";  // JSON
};

struct StopExecutionRequest {
  std::string execution_arn{};
  // Both may be empty.
  std::string error{};
  std::string cause{};
};

enum class ExecutionStatus {
  kRunning,
  kSucceeded,
  kFailed,
  kTimedOut,
  kAborted,
  kPendingRedrive,
};

struct Execution {
  std::string execution_arn{};
  std::string state_machine_arn{};
  std::string name{};
  ExecutionStatus status = ExecutionStatus::kRunning;
  absl::Time start_date{};
  // Once it has ended.
  std::optional<absl::Time> stop_date{};
  std::string input{};   // JSON
  std::string output{};  // JSON; empty unless it has succeeded
  std::string error{};
  std::string cause{};
};

// Of a task that waits for a callback with its token.
struct TaskFailure {
  std::string token{};
  std::string error{};
  std::string cause{};
};

// Calls Step Functions. Not thread-safe.
//
// Errors are those of aws::ToStatus(): AlreadyExists for the name of an earlier
// execution, NotFound for an execution, state machine or task that does not
// exist, FailedPrecondition for a task that has timed out or ended.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // The execution's ARN. Starting a running execution with the same name and
  // input again succeeds.
  // https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
  virtual absl::StatusOr<std::string> StartExecution(
      const StartExecutionRequest& request, absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html
  virtual absl::Status StopExecution(const StopExecutionRequest& request,
                                     absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html
  virtual absl::StatusOr<Execution> DescribeExecution(
      absl::string_view execution_arn, absl::Time deadline) = 0;

  // `output` is JSON. If an answer is lost and the request is sent again, it
  // fails as if the task had ended by other means: callers may have to treat
  // FailedPrecondition as success. The same goes for SendTaskFailure.
  // https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskSuccess.html
  virtual absl::Status SendTaskSuccess(absl::string_view token,
                                       absl::string_view output,
                                       absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskFailure.html
  virtual absl::Status SendTaskFailure(const TaskFailure& failure,
                                       absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskHeartbeat.html
  virtual absl::Status SendTaskHeartbeat(absl::string_view token,
                                         absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::stepfunctions

#endif  // BYOSHIN_CORE_AWS_STEPFUNCTIONS_CLIENT_H_
