#include "local/cloudformation/undo_failures.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr std::size_t kMaxNamed = 3;

// "A, B, C and 17 more"
std::string NamesOf(const std::vector<std::string>& ids) {
  const std::size_t named = std::min(ids.size(), kMaxNamed);
  const std::string names =
      absl::StrJoin(ids.begin(), ids.begin() + named, ", ");
  return ids.size() == named
             ? names
             : absl::StrCat(names, " and ", ids.size() - named, " more");
}

}  // namespace

void UndoFailures::Add(absl::string_view logical_id, absl::string_view reason) {
  auto found =
      std::find_if(reasons_.begin(), reasons_.end(),
                   [&](const auto& entry) { return entry.first == reason; });
  if (found == reasons_.end()) {
    found = reasons_.insert(found, {std::string(reason), {}});
  }
  std::vector<std::string>& ids = found->second;
  // A resource may be tried again on the way.
  if (logical_id.empty() ||
      std::find(ids.begin(), ids.end(), logical_id) != ids.end()) {
    return;
  }
  ids.push_back(std::string(logical_id));
}

std::string UndoFailures::ToString(absl::string_view known) const {
  std::vector<std::string> parts;
  for (const auto& [reason, ids] : reasons_) {
    const std::string names = NamesOf(ids);
    if (ids.size() > 1 && absl::StrContains(known, reason)) {
      parts.push_back(absl::StrCat(names, " (for the same reason)"));
    } else {
      parts.push_back(absl::StrCat(names, names.empty() ? "" : ": ", reason));
    }
  }
  return absl::StrJoin(parts, "; ");
}

}  // namespace byoshin::local::cloudformation
