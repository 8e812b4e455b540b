// What a function is, and what an invocation of it is made of and comes to.
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
  // What the platform itself writes; kWarning leaves only what went wrong.
  enum class SystemLevel { kDebug, kInfo, kWarning };
  // "/aws/lambda/<name>" unless given.
  std::string group{};
  Format format = Format::kText;
  SystemLevel system_level = SystemLevel::kInfo;
  // Of kJson: what the function itself is told to write; empty for its choice.
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
  // Executions at a time; 0 stops the function, none means what the account
  // has.
  std::optional<int> reserved_concurrency{};
  LoggingConfig logging{};
  // Reported, and without effect: nobody collects traces.
  std::string tracing_mode = "PassThrough";
  Code code{};
  absl::Time last_modified = absl::UnixEpoch();
};

// https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html
struct EventInvokeConfig {
  int max_retries = 2;
  absl::Duration max_age = absl::Hours(6);
  // The ARN of a queue; empty for none.
  std::string on_failure{};
  absl::Time last_modified = absl::UnixEpoch();
};

// Who may invoke a function besides roles: a statement of its policy.
// https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html
struct Permission {
  std::string id{};
  std::string action = "lambda:InvokeFunction";
  std::string principal{};       // "events.amazonaws.com"
  std::string source_arn{};      // may have * and ?; empty for any
  std::string source_account{};  // empty for any
};

// What there is to know of a function besides how it runs.
struct FunctionDetails {
  FunctionConfig config{};
  std::vector<Permission> permissions{};
  // None if it has the default.
  std::optional<EventInvokeConfig> invoke_config{};
};

// A service of the cloud that invokes a function for one of its resources.
struct ServicePrincipal {
  std::string principal{};
  std::string source_arn{};
};

struct InvokeRequest {
  std::string payload{};
  // Made up if empty.
  std::string request_id{};
  std::string trace_id{};
  // Base64, as the caller sent it.
  std::string client_context{};
};

// What one execution came to, for logs and the dashboard.
struct InvocationReport {
  enum class Outcome { kSuccess, kError, kTimeout, kOutOfMemory, kCrash };
  std::string function_name{};
  std::string function_arn{};
  std::string request_id{};
  // On the cloud's clock.
  absl::Time started;
  // How long it really took, on the simulated clock too.
  absl::Duration duration;
  // Of a cold start.
  std::optional<absl::Duration> init_duration{};
  std::size_t max_memory_bytes = 0;
  Outcome outcome = Outcome::kSuccess;
  // "Runtime.ExitError"; empty if it went well.
  std::string error_type{};
  // As the payload has it, without the request id; empty if it went well.
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

// An error means that nothing was executed: the function is not there, or is
// throttled.
using InvokeDone = std::function<void(absl::StatusOr<InvokeResult>)>;

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_FUNCTION_H_
