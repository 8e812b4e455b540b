#include "local/cli/artifacts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
#include "local/cli/arguments.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {
namespace {

absl::StatusOr<stack::StackDeployment> Read(
    const std::vector<std::string>& words,
    const env::Environment& environment = env::FromMap({})) {
  const absl::StatusOr<Arguments> arguments =
      ParseArguments({.flags = ArtifactFlags()}, words);
  if (!arguments.ok()) return arguments.status();
  return ReadArtifacts(*arguments, environment);
}

TEST(ReadArtifacts, FindsThemBesideTheProgramWhereverItIsStarted) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path("/");
  const absl::StatusOr<stack::StackDeployment> deployment = Read({});
  std::filesystem::current_path(before);
  ASSERT_TRUE(deployment.ok()) << deployment.status();
  EXPECT_FALSE(deployment->template_text.empty());
  EXPECT_EQ(deployment->zips.size(), 3);
}

TEST(ReadArtifacts, TakesRelativePathsFromWhereBazelWasCalled) {
  const std::string folder = testing::TempDir();
  const env::Environment bazel =
      env::FromMap({{"BUILD_WORKING_DIRECTORY", folder}});
  EXPECT_EQ(Read({"--template=none.json"}, bazel).status(),
            Read({absl::StrCat("--template=", folder, "/none.json")}).status());
  std::ofstream(folder + "/t.json") << "{}";
  EXPECT_EQ(Read({"--template=t.json", "--zips=none"}, bazel).status(),
            absl::NotFoundError(absl::StrCat(
                "cannot read ", folder, "/none: No such file or directory")));
  std::ofstream(folder + "/f.zip") << "zip";
  const absl::StatusOr<stack::StackDeployment> deployment =
      Read({"--template=t.json", "--zips=."}, bazel);
  ASSERT_TRUE(deployment.ok()) << deployment.status();
  EXPECT_EQ(deployment->template_text, "{}");
  EXPECT_EQ(deployment->zips.at("f.zip"), "zip");
}

TEST(ReadArtifacts, SayWhereTheirZipsAreFrom) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/t.json") << "{}";
  const std::string own = absl::StrCat("--template=", folder, "/t.json");
  EXPECT_EQ(Read({own, absl::StrCat("--zips=", folder)})->zips_origin, folder);
  EXPECT_EQ(Read({own})->zips_origin,
            "the scheduler's zips (--zips=FOLDER names a folder with others)");
}

TEST(ReadArtifacts, RefusesAParameterWithoutAValue) {
  EXPECT_EQ(Read({"--parameter=Name"}).status(),
            absl::InvalidArgumentError(
                "--parameter=Name is not of the form NAME=VALUE"));
}

}  // namespace
}  // namespace byoshin::local::cli
