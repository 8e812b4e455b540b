// Where the person stands who has given a command.
//
//   std::string file = env::FromWorkingDirectory(flag_value, environment);
#ifndef BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_
#define BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::env {

// `path` as an absolute path; an empty path stays empty. A relative path starts
// from where the person stands: `bazel run` starts programs in a folder of its
// own, which `bazel clean` deletes, and says in BUILD_WORKING_DIRECTORY where
// it was called. Without that variable it is the process's working directory.
std::string FromWorkingDirectory(absl::string_view path,
                                 const Environment& environment);

}  // namespace byoshin::env

#endif  // BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_
