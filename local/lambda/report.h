// The platform's own lines in a function's log, in both of Lambda's formats,
// and the payloads of platform errors.
//
//   START RequestId: 8476a536-… Version: $LATEST
//   END RequestId: 8476a536-…
//   REPORT RequestId: 8476a536-…	Duration: 1.23 ms	Billed Duration:
//   2 ms …
#ifndef BYOSHIN_LOCAL_LAMBDA_REPORT_H_
#define BYOSHIN_LOCAL_LAMBDA_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/lambda/function.h"
#include "local/process/child.h"

namespace byoshin::local::lambda {

// How Lambda writes a time, in UTC.
inline constexpr char kTimeFormat[] = "%Y-%m-%dT%H:%M:%E3SZ";

// https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-view.html
// https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
std::vector<std::string> StartLines(const FunctionConfig& function,
                                    absl::string_view request_id,
                                    absl::Time now);
std::vector<std::string> EndLines(const FunctionConfig& function,
                                  const InvocationReport& report,
                                  absl::Time now);

// A platform error: its type and message.
struct PlatformError {
  std::string type{};
  // "Task timed out after 3.00 seconds"
  std::string message{};
};

// An environment that ended before it asked for an invocation.
struct FailedInit {
  PlatformError error{};
  // The id of the waiting invocation; empty if there was none.
  std::string request_id{};
  absl::Duration duration{};
};

// https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
std::vector<std::string> FailedInitLines(const FunctionConfig& function,
                                         const FailedInit& init,
                                         absl::Time now);

inline constexpr char kTimeoutType[] = "Sandbox.Timedout";
inline constexpr char kInitErrorType[] = "Runtime.InitError";

PlatformError TimeoutError(absl::Duration timeout);
// There is no process: the executable or the role is missing.
PlatformError EntrypointError(const absl::Status& status);
// The maximum length of a function's error text in the log and in messages; the
// caller gets all of it.
inline constexpr std::size_t kMaxShownBytes = 1000;

// The error that the function reports, {"errorType":…,"errorMessage":…}: on one
// line, each truncated to kMaxShownBytes.
PlatformError InitError(absl::string_view payload);
// "Runtime exited with error: signal: killed"
PlatformError ExitError(const process::ExitStatus& exit);
PlatformError OutOfMemoryError();
PlatformError TooLargeError();

// {"errorType":…,"errorMessage":"RequestId: … Error: …"}
std::string ErrorPayload(const PlatformError& error,
                         absl::string_view request_id);

// The errorMessage of an error's payload, without the prefix that
// ErrorPayload() adds, truncated to kMaxShownBytes; empty if there is none.
std::string ErrorMessageOf(absl::string_view payload,
                           absl::string_view request_id);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_REPORT_H_
