// A function, its invocations and their results.
#ifndef BYOSHIN_LOCAL_LAMBDA_FUNCTION_H_
#define BYOSHIN_LOCAL_LAMBDA_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/lambda/code_store.h"

namespace byoshin::local::lambda {

inline constexpr char kLatestVersion[] = "$LATEST";
// Lambda's limits on a payload.
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
inline constexpr std::size_t kMaxRequestBytes = std::size_t{6} << 20;
inline constexpr std::size_t kMaxAsyncRequestBytes = std::size_t{1} << 20;

// https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-advanced.html
struct LoggingConfig {
  enum class Format { kText, kJson };
  // The level of the platform's own lines; kWarning logs only failures.
  enum class SystemLevel { kDebug, kInfo, kWarning };
  // "/aws/lambda/<name>" unless given.
  std::string group{};
  Format format = Format::kText;
  SystemLevel system_level = SystemLevel::kInfo;
  // For kJson: the level that the function is told to log; empty if not set.
  std::string application_level{};
};

struct FunctionConfig {
  std::string name{};
  std::string region{};
  // "arn:aws:lambda:<region>:<account>:function:<name>"
  std::string arn{};
  std::string description{};
  std::string runtime = "provided.al2023";
  std::string handler{};
  std::string architecture = "x86_64";
  std::string role{};
  int memory_mb = 128;
  absl::Duration timeout = absl::Seconds(3);
  std::map<std::string, std::string> variables{};
  // The maximum of concurrent executions; 0 stops the function, nullopt means
  // the account's limit.
  std::optional<int> reserved_concurrency{};
  LoggingConfig logging{};
  // Reported, but without effect: traces are not collected.
  std::string tracing_mode = "PassThrough";
  Code code{};
  absl::Time last_modified = absl::UnixEpoch();
};

// https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html
struct EventInvokeConfig {
  int max_retries = 2;
  absl::Duration max_age = absl::Hours(6);
  // The ARN of a queue; empty if there is none.
  std::string on_failure{};
  absl::Time last_modified = absl::UnixEpoch();
};

// A statement of a function's resource-based policy.
// https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html
struct Permission {
  std::string id{};
  std::string action = "lambda:InvokeFunction";
  std::string principal{};       // "events.amazonaws.com"
  std::string source_arn{};      // may have * and ?; empty for any
  std::string source_account{};  // empty for any
};

// A function with its permissions and asynchronous configuration.
struct FunctionDetails {
  FunctionConfig config{};
  std::vector<Permission> permissions{};
  // nullopt for the default.
  std::optional<EventInvokeConfig> invoke_config{};
};

// A service of the cloud that invokes a function for one of its resources.
struct ServicePrincipal {
  std::string principal{};
  std::string source_arn{};
};

struct InvokeRequest {
  std::string payload{};
  // Generated if empty.
  std::string request_id{};
  std::string trace_id{};
  // Base64, as the caller sent it.
  std::string client_context{};
  // Called before the function waits for simulated time to pass; see
  // Call::let_time_pass. Never null.
  std::function<void()> let_time_pass = [] {};
};

// The outcome of an execution, for logs and the dashboard.
struct InvocationReport {
  enum class Outcome { kSuccess, kError, kTimeout, kOutOfMemory, kCrash };
  std::string function_name{};
  std::string function_arn{};
  std::string request_id{};
  // On the cloud's clock.
  absl::Time started;
  // The real duration, also with a simulated clock.
  absl::Duration duration;
  // Of a cold start.
  std::optional<absl::Duration> init_duration{};
  std::size_t max_memory_bytes = 0;
  Outcome outcome = Outcome::kSuccess;
  // "Runtime.ExitError"; empty on success.
  std::string error_type{};
  // The message in the payload, without the request id; empty on success.
  std::string error_message{};
  // False if the execution environment failed before it took the invocation.
  bool reached_function = true;
};

struct InvokeResult {
  std::string request_id{};
  std::string payload{};
  // "Unhandled"; empty if the function has responded.
  std::string function_error{};
  // The end of the execution's log.
  std::string log_tail{};
  InvocationReport report{};
};

// An error means that nothing was executed: the function does not exist or is
// throttled.
using InvokeDone = std::function<void(absl::StatusOr<InvokeResult>)>;

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_FUNCTION_H_
