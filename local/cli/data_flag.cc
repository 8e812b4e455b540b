#include "local/cli/data_flag.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "local/cli/arguments.h"

namespace byoshin::local::cli {

absl::StatusOr<std::optional<std::string>> ReadDataFlag(
    const Arguments& arguments, const env::Environment& environment) {
  if (!arguments.Has(kDataFlag)) return std::nullopt;
  if (arguments.Has(kInMemoryFlag)) {
    return absl::InvalidArgumentError(
        "--data and --in-memory contradict each other; leave one of them out");
  }
  const std::string folder = arguments.Get(kDataFlag);
  if (folder.empty()) {
    return absl::InvalidArgumentError("--data needs the name of a folder");
  }
  return env::FromWorkingDirectory(folder, environment);
}

}  // namespace byoshin::local::cli
