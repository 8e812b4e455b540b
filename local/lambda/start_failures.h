// Tracks which functions can't start, so that each failure is reported once.
//
//   StartFailures failures;
//   std::optional<std::string> note = failures.Failed(arn, "sender", error);
//   failures.Started(arn);
#ifndef BYOSHIN_LOCAL_LAMBDA_START_FAILURES_H_
#define BYOSHIN_LOCAL_LAMBDA_START_FAILURES_H_

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "local/lambda/report.h"

namespace byoshin::local::lambda {

// The start of a message about a function that can't start.
std::string CannotStart(absl::string_view function);

// Not thread-safe.
class StartFailures {
 public:
  // The message for the user; nullopt if an error of this type was already
  // reported and the function has not started since. Messages may differ each
  // time.
  std::optional<std::string> Failed(const std::string& arn,
                                    absl::string_view name,
                                    const PlatformError& error);

  void Started(const std::string& arn) { types_.erase(arn); }

 private:
  std::map<std::string, std::string> types_;  // by ARN
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_START_FAILURES_H_
