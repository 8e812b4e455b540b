#include "core/host/open_files.h"

#include <sys/resource.h>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace byoshin::host {
namespace {

TEST(ConnectionsWithinLimit, LeavesDescriptorsForEverythingElse) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const auto with = [&](rlim_t limit) {
    rlimit now = before;
    now.rlim_cur = limit;
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &now), 0);
    const int connections = ConnectionsWithinLimit(10000);
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    return connections;
  };
  EXPECT_EQ(with(1024), 768);
  EXPECT_EQ(with(400), 200);
  EXPECT_EQ(with(64), 32);
  if (before.rlim_max >= 20000) {
    EXPECT_EQ(with(20000), 10000);
  }
}

TEST(CheckOpenFiles, SaysHowManyAreNeeded) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const auto with = [&](rlim_t limit) {
    rlimit now = before;
    now.rlim_cur = limit;
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &now), 0);
    absl::Status status = CheckOpenFiles();
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    return status;
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
