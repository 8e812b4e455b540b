// What the platform itself writes into a function's log, in both formats that
// Lambda has, and the payloads of errors that are not the function's own.
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

// An error of the platform's: type, and what people are told.
struct PlatformError {
  std::string type{};
  // "Task timed out after 3.00 seconds"
  std::string message{};
};

// An environment that has not come so far as to ask for an invocation.
struct FailedInit {
  PlatformError error{};
  // Of the invocation that waited for it; empty if none did.
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
// There is no process: no executable, no role.
PlatformError EntrypointError(const absl::Status& status);
// Of what a function says about an error, as much goes into the log and to
// people; whoever has invoked it gets all.
inline constexpr std::size_t kMaxShownBytes = 1000;

// What the function itself reports, {"errorType":…,"errorMessage":…}: on one
// line, each cut to kMaxShownBytes.
PlatformError InitError(absl::string_view payload);
// "Runtime exited with error: signal: killed"
PlatformError ExitError(const process::ExitStatus& exit);
PlatformError OutOfMemoryError();
PlatformError TooLargeError();

// {"errorType":…,"errorMessage":"RequestId: … Error: …"}
std::string ErrorPayload(const PlatformError& error,
                         absl::string_view request_id);

// What the payload of an error says: its errorMessage, without the beginning
// that ErrorPayload() gives it, cut to kMaxShownBytes; empty if it has none.
std::string ErrorMessageOf(absl::string_view payload,
                           absl::string_view request_id);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_REPORT_H_
