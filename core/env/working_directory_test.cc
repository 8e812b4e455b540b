#include "core/env/working_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

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

TEST(FromWorkingDirectory, TakesRelativePathsFromTheProcessWithoutBazel) {
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(FromWorkingDirectory("x/y", FromMap({})), here + "/x/y");
  EXPECT_EQ(FromWorkingDirectory("/x", FromMap({})), "/x");
  EXPECT_EQ(FromWorkingDirectory("", FromMap({})), "");
}

}  // namespace
}  // namespace byoshin::env
