#include "core/files/runfile.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/string_view.h"

namespace byoshin::files {

std::string RunfilePath(absl::string_view workspace, const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  const std::string folder(workspace);
  if (const char* const runfiles = std::getenv("RUNFILES_DIR")) {
    const std::filesystem::path named =
        std::filesystem::path(runfiles) / folder / path;
    if (std::filesystem::exists(named, ignored)) return named;
  }
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", ignored);
  return std::filesystem::path(self.string() + ".runfiles") / folder / path;
}

}  // namespace byoshin::files
