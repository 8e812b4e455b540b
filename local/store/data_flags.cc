#include "local/store/data_flags.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"

namespace byoshin::local {
namespace {

constexpr char kDataVariable[] = "BYOSHIN_DATA";

}  // namespace

absl::Status CheckDataFlags(const DataFlags& flags) {
  if (!flags.data.has_value()) return absl::OkStatus();
  if (flags.in_memory) {
    return absl::InvalidArgumentError(
        "--data and --in-memory contradict each other; leave one of them out");
  }
  return flags.data->empty()
             ? absl::InvalidArgumentError("--data requires a directory")
             : absl::OkStatus();
}

absl::StatusOr<std::string> DataFolder(const DataFlags& flags,
                                       absl::string_view below_home,
                                       const env::Environment& environment) {
  if (absl::Status status = CheckDataFlags(flags); !status.ok()) return status;
  if (flags.in_memory) return std::string();
  if (flags.data.has_value()) {
    return env::FromWorkingDirectory(*flags.data, environment);
  }
  if (const auto set = env::NonEmpty(environment, kDataVariable)) {
    return env::FromWorkingDirectory(*set, environment);
  }
  if (const auto home = env::NonEmpty(environment, "HOME")) {
    return env::FromWorkingDirectory(absl::StrCat(*home, "/", below_home),
                                     environment);
  }
  return absl::InvalidArgumentError(
      "there is no home directory to keep data in; choose a directory with "
      "--data=DIR, or use --in-memory to keep nothing");
}

}  // namespace byoshin::local
