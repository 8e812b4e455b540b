// Files that Bazel puts beside a program: its runfiles.
//
//   #include "local/cli/artifact_paths.h"  // by runfile_paths()
//   std::string path = files::RunfilePath(kRunfilesWorkspace, kTemplate);
#ifndef BYOSHIN_CORE_FILES_RUNFILE_H_
#define BYOSHIN_CORE_FILES_RUNFILE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::files {

// Where the runfile `path` is, which is relative to the folder of `workspace`
// among the runfiles. Bazel starts programs there, and tells tests where it is;
// a program that was started in another way finds it beside itself. The result
// need not exist, as for a program that was copied.
std::string RunfilePath(absl::string_view workspace, const std::string& path);

}  // namespace byoshin::files

#endif  // BYOSHIN_CORE_FILES_RUNFILE_H_
