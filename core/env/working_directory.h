// Where the person stands who has given a command.
//
//   std::string file = env::FromWorkingDirectory(flag_value, environment);
#ifndef BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_
#define BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::env {

// A relative path, as that person means it: `bazel run` starts programs in a
// folder of its own, which `bazel clean` deletes, and says in
// BUILD_WORKING_DIRECTORY where it was called. Anything else as it is.
std::string FromWorkingDirectory(absl::string_view path,
                                 const Environment& environment);

}  // namespace byoshin::env

#endif  // BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_
