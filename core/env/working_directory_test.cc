#include "core/env/working_directory.h"

#include <gtest/gtest.h>

#include "core/env/environment.h"

namespace byoshin::env {
namespace {

TEST(FromWorkingDirectory, TakesRelativePathsFromWhereBazelWasCalled) {
  const Environment bazel = FromMap({{"BUILD_WORKING_DIRECTORY", "/w"}});
  EXPECT_EQ(FromWorkingDirectory("x/y", bazel), "/w/x/y");
  EXPECT_EQ(FromWorkingDirectory("../x", bazel), "/w/../x");
  EXPECT_EQ(FromWorkingDirectory("/x", bazel), "/x");
  EXPECT_EQ(FromWorkingDirectory("", bazel), "");
}

TEST(FromWorkingDirectory, LeavesPathsAloneWithoutBazel) {
  EXPECT_EQ(FromWorkingDirectory("x", FromMap({})), "x");
}

}  // namespace
}  // namespace byoshin::env
