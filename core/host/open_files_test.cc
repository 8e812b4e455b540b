#include "core/host/open_files.h"

#include <sys/resource.h>

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

}  // namespace
}  // namespace byoshin::host
