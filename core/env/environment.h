// The environment variables of the process, or those of a test.
//
//   env::Environment environment = env::OfProcess();
//   absl::StatusOr<std::string> url = env::Required(environment, "QUEUE_URL");
//   if (!url.ok()) return url.status();  // says that QUEUE_URL is missing
//
//   env::Environment fake = env::FromMap({{"QUEUE_URL", "http://x/1/q"}});
//
// Only main() and tests create an Environment; everything else takes one. So
// tests need not change the variables of their process.
#ifndef BYOSHIN_CORE_ENV_ENVIRONMENT_H_
#define BYOSHIN_CORE_ENV_ENVIRONMENT_H_

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::env {

// The value of the variable; nullopt if it is not set. The implementations
// below are thread-safe.
using Environment =
    std::function<std::optional<std::string>(absl::string_view name)>;

// Reads the process's variables on each call, so it sees changes. As usual with
// getenv(), they must not be changed concurrently.
Environment OfProcess();

// For tests: only these variables.
Environment FromMap(std::map<std::string, std::string> variables);

// The value if the variable is set and not empty. An empty variable is usually
// meant to be unset: Docker and CloudFormation offer no other way.
std::optional<std::string> NonEmpty(const Environment& environment,
                                    absl::string_view name);

// The same for a required variable: FailedPrecondition, naming the variable, if
// it is not set or empty.
absl::StatusOr<std::string> Required(const Environment& environment,
                                     absl::string_view name);

}  // namespace byoshin::env

#endif  // BYOSHIN_CORE_ENV_ENVIRONMENT_H_
