#include "core/env/working_directory.h"

#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::env {

std::string FromWorkingDirectory(absl::string_view path,
                                 const Environment& environment) {
  const std::optional<std::string> directory =
      NonEmpty(environment, "BUILD_WORKING_DIRECTORY");
  if (!directory.has_value() || path.empty() || absl::StartsWith(path, "/")) {
    return std::string(path);
  }
  return absl::StrCat(*directory, "/", path);
}

}  // namespace byoshin::env
