// The user's working directory.
//
//   std::string file = env::FromWorkingDirectory(flag_value, environment);
#ifndef BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_
#define BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::env {

// `path` as an absolute path; an empty path stays empty. A relative path is
// relative to the user's working directory: `bazel run` starts programs in
// another folder, which `bazel clean` deletes, and sets BUILD_WORKING_DIRECTORY
// to the user's. Without that variable, it is the process's working directory.
std::string FromWorkingDirectory(absl::string_view path,
                                 const Environment& environment);

}  // namespace byoshin::env

#endif  // BYOSHIN_CORE_ENV_WORKING_DIRECTORY_H_
