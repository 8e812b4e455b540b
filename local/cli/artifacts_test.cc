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
#include "local/applications/application.h"
#include "local/applications/applications.h"
#include "local/cli/arguments.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {
namespace {

constexpr char kOwnTemplate[] =
    R"({"Resources": {"Jobs": {"Type": "AWS::SQS::Queue"}}})";

// What is to be deployed with these flags, if a second stack has the
// scheduler's template, too.
absl::StatusOr<std::vector<stack::StackDeployment>> ReadAll(
    const std::vector<std::string>& words,
    const env::Environment& environment = env::FromMap({})) {
  std::vector<applications::Application> applications(
      2, applications::AllApplications().front());
  applications.back().name = "second";
  applications.back().stack_name = "byoshin-second";
  const absl::StatusOr<Arguments> arguments =
      ParseArguments({.flags = ArtifactFlags(applications)}, words);
  if (!arguments.ok()) return arguments.status();
  return ReadArtifacts(*arguments, environment, applications);
}

// The same if it is one stack.
absl::StatusOr<stack::StackDeployment> Read(
    const std::vector<std::string>& words,
    const env::Environment& environment = env::FromMap({})) {
  const absl::StatusOr<std::vector<stack::StackDeployment>> all =
      ReadAll(words, environment);
  if (!all.ok()) return all.status();
  EXPECT_EQ(all->size(), 1);
  return all->front();
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
  std::ofstream(folder + "/t.json") << kOwnTemplate;
  EXPECT_EQ(Read({"--template=t.json", "--zips=none"}, bazel).status(),
            absl::NotFoundError(absl::StrCat(
                "cannot read ", folder, "/none: No such file or directory")));
  std::ofstream(folder + "/f.zip") << "zip";
  const absl::StatusOr<stack::StackDeployment> deployment =
      Read({"--template=t.json", "--zips=."}, bazel);
  ASSERT_TRUE(deployment.ok()) << deployment.status();
  EXPECT_EQ(deployment->template_text, kOwnTemplate);
  EXPECT_EQ(deployment->zips.at("f.zip"), "zip");
}

TEST(ReadArtifacts, SayWhereTheirZipsAreFrom) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/t.json") << kOwnTemplate;
  const std::string own = absl::StrCat("--template=", folder, "/t.json");
  EXPECT_EQ(Read({own, absl::StrCat("--zips=", folder)})->zips_origin, folder);
  EXPECT_EQ(
      Read({own})->zips_origin,
      "the zips that come with byoshin (--zips=FOLDER names a folder with "
      "others)");
}

TEST(ReadArtifacts, AreThoseOfTheStacksThatAreNamed) {
  const auto names = [](const std::string& flag) {
    std::string joined;
    const absl::StatusOr<std::vector<stack::StackDeployment>> all =
        ReadAll({flag});
    for (const stack::StackDeployment& deployment : *all) {
      absl::StrAppend(&joined, deployment.stack_name, " ");
    }
    return joined;
  };
  EXPECT_EQ(names("--stack=second"), "byoshin-second ");
  // In the order of the list, and each once.
  EXPECT_EQ(names("--stack=second,scheduler,second"),
            "byoshin byoshin-second ");
  EXPECT_EQ(names("--stack=all"), "byoshin byoshin-second ");
  EXPECT_EQ(ReadAll({"--stack=third"}).status(),
            absl::InvalidArgumentError("--stack: there is no stack \"third\"; "
                                       "there are: scheduler, second, all"));
  EXPECT_EQ(ReadAll({"--stack=all", "--template=t.json"}).status(),
            absl::InvalidArgumentError(
                "--stack and --template can't be given together"));
}

TEST(ReadArtifacts, GiveAParameterToTheTemplatesThatHaveIt) {
  const absl::StatusOr<std::vector<stack::StackDeployment>> both =
      ReadAll({"--stack=all", "--parameter=ApiBaseUrl=http://x"});
  ASSERT_TRUE(both.ok()) << both.status();
  for (const stack::StackDeployment& deployment : *both) {
    EXPECT_EQ(deployment.parameters.at("ApiBaseUrl"), "http://x");
  }
  EXPECT_EQ(Read({"--parameter=Nobody=1"}).status(),
            absl::InvalidArgumentError(
                "--parameter: the template has no parameter Nobody"));
}

TEST(ReadArtifacts, RefusesAParameterWithoutAValue) {
  EXPECT_EQ(Read({"--parameter=Name"}).status(),
            absl::InvalidArgumentError(
                "--parameter=Name is not of the form NAME=VALUE"));
}

}  // namespace
}  // namespace byoshin::local::cli
