#include "local/cli/faults.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::cli {

absl::StatusOr<Faults> ParseFaults(absl::string_view text) {
  Faults faults;
  for (const absl::string_view entry :
       absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<std::string, absl::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits(':', 1));
    double probability = 0;
    if (!absl::SimpleAtod(parts.second, &probability) ||
        !(probability >= 0 && probability <= 1)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--faults: \"", entry, "\" is not ", kCrashFault,
          ":P or NAME:P, with a service such as sqs or dynamodb, or another "
          "name that --help lists, and P from 0 to 1"));
    }
    if (!faults.emplace(parts.first, probability).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("--faults: ", parts.first, " is given twice"));
    }
  }
  return faults;
}

absl::Status CheckFaults(const Faults& faults,
                         const std::vector<std::string>& known) {
  for (const auto& [what, probability] : faults) {
    if (what == kCrashFault ||
        std::find(known.begin(), known.end(), what) != known.end()) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "--faults: there is no \"", what, "\" that could fail; there are ",
        kCrashFault, ", ", absl::StrJoin(known, ", ")));
  }
  return absl::OkStatus();
}

bool FaultSource::Fails(absl::string_view what) {
  const auto found = faults_.find(what);
  if (found == faults_.end()) return false;
  const sync::MutexLock lock(mutex_);
  return std::uniform_real_distribution<double>(0, 1)(random_) < found->second;
}

}  // namespace byoshin::local::cli
