#include "core/env/working_directory.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::env {

std::string FromWorkingDirectory(absl::string_view path,
                                 const Environment& environment) {
  if (path.empty() || absl::StartsWith(path, "/")) return std::string(path);
  const std::optional<std::string> directory =
      NonEmpty(environment, "BUILD_WORKING_DIRECTORY");
  const std::string given = directory.has_value()
                                ? absl::StrCat(*directory, "/", path)
                                : std::string(path);
  std::error_code error;
  const std::filesystem::path absolute =
      std::filesystem::absolute(given, error);
  // The working directory was deleted: opening the file gives the same error.
  return error ? given : absolute.string();
}

}  // namespace byoshin::env
