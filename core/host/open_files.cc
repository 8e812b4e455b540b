#include "core/host/open_files.h"

#include <sys/resource.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace byoshin::host {
namespace {

constexpr rlim_t kLeastReserve = 256;

}  // namespace

void AllowManyOpenFiles() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

absl::Status CheckOpenFiles() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
      limit.rlim_cur >= kMinOpenFiles) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "only ", limit.rlim_cur, " files may be open, and at least ",
      kMinOpenFiles, " are needed: raise the limit with `ulimit -Hn ",
      kMinOpenFiles, "`, or that of the container (more for many clients)"));
}

int ConnectionsWithinLimit(int wanted) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t reserve =
      std::min(std::max(limit.rlim_cur / 4, kLeastReserve), limit.rlim_cur / 2);
  const rlim_t possible = std::max<rlim_t>(limit.rlim_cur - reserve, 1);
  return static_cast<int>(std::min<rlim_t>(wanted, possible));
}

}  // namespace byoshin::host
