// What the platform itself writes into a function's log, in both formats that
// Lambda has, and the payloads of errors that are not the function's own.
//
//   START RequestId: 8476a536-… Version: $LATEST
//   END RequestId: 8476a536-…
//   REPORT RequestId: 8476a536-…	Duration: 1.23 ms	Billed Duration:
//   2 ms …
#ifndef BYOSHIN_LOCAL_LAMBDA_REPORT_H_
#define BYOSHIN_LOCAL_LAMBDA_REPORT_H_

#include <string>
#include <vector>

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

PlatformError TimeoutError(absl::Duration timeout);
// "Runtime exited with error: signal: killed"
PlatformError ExitError(const process::ExitStatus& exit);
PlatformError OutOfMemoryError();
PlatformError TooLargeError();

// {"errorType":…,"errorMessage":"RequestId: … Error: …"}
std::string ErrorPayload(const PlatformError& error,
                         absl::string_view request_id);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_REPORT_H_
