#include "core/host/open_files.h"

#include <sys/resource.h>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace byoshin::host {
namespace {

rlimit CurrentLimit() {
  rlimit limit;
  EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  return limit;
}

// Returns what `ask` returns while the process may open so many files.
template <typename Ask>
auto WithLimit(rlim_t limit, Ask ask) {
  const rlimit before = CurrentLimit();
  rlimit now = before;
  now.rlim_cur = limit;
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &now), 0);
  auto answer = ask();
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  return answer;
}

TEST(ConnectionsWithinLimit, LeavesDescriptorsForEverythingElse) {
  const auto with = [](rlim_t limit) {
    return WithLimit(limit, [] { return ConnectionsWithinLimit(10000); });
  };
  EXPECT_EQ(with(1024), 768);
  EXPECT_EQ(with(400), 200);
  EXPECT_EQ(with(64), 32);
  if (CurrentLimit().rlim_max >= 20000) {
    EXPECT_EQ(with(20000), 10000);
  }
}

TEST(CheckOpenFiles, SaysHowManyAreNeeded) {
  const auto with = [](rlim_t limit) {
    return WithLimit(limit, [] { return CheckOpenFiles(); });
  };
  EXPECT_TRUE(with(kMinOpenFiles).ok());
  const absl::Status few = with(kMinOpenFiles - 1);
  EXPECT_TRUE(absl::IsFailedPrecondition(few));
  EXPECT_TRUE(absl::StrContains(few.message(),
                                "only 511 files may be open, and at least 512 "
                                "are needed"))
      << few;
}

}  // namespace
}  // namespace byoshin::host
