// The environment variables of the process, or those that a test makes up.
//
//   env::Environment environment = env::OfProcess();
//   absl::StatusOr<std::string> url = env::Required(environment, "QUEUE_URL");
//   if (!url.ok()) return url.status();  // says that QUEUE_URL is missing
//
//   env::Environment fake = env::FromMap({{"QUEUE_URL", "http://x/1/q"}});
//
// Only main() and tests choose where variables come from; everything else takes
// an Environment. So no test has to change the process it runs in.
#ifndef BYOSHIN_CORE_ENV_ENVIRONMENT_H_
#define BYOSHIN_CORE_ENV_ENVIRONMENT_H_

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::env {

// The value of the variable of this name; nothing if it is not set. Those below
// may be called from several threads at once.
using Environment =
    std::function<std::optional<std::string>(absl::string_view name)>;

// Reads the process's variables each time it is asked, so it sees changes. As
// ever with getenv(), nobody may change them meanwhile.
Environment OfProcess();

// For tests: these variables and no others.
Environment FromMap(std::map<std::string, std::string> variables);

// The value if the variable is set and not empty. A variable that was set to
// nothing was most likely meant to be unset: Docker and CloudFormation offer no
// other way to do so.
std::optional<std::string> NonEmpty(const Environment& environment,
                                    absl::string_view name);

// The same for a variable that must be there: FailedPrecondition, naming the
// variable, if it is not set or empty.
absl::StatusOr<std::string> Required(const Environment& environment,
                                     absl::string_view name);

}  // namespace byoshin::env

#endif  // BYOSHIN_CORE_ENV_ENVIRONMENT_H_
