// Which functions cannot start, and whether people know.
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

// How a note about a function that cannot start begins.
std::string CannotStart(absl::string_view function);

// Not thread-safe.
class StartFailures {
 public:
  // What to tell people; nothing if they were told of an error of this type,
  // and the function has not started since: messages may differ each time.
  std::optional<std::string> Failed(const std::string& arn,
                                    absl::string_view name,
                                    const PlatformError& error);

  void Started(const std::string& arn) { types_.erase(arn); }

 private:
  std::map<std::string, std::string> types_;  // by ARN
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_START_FAILURES_H_
