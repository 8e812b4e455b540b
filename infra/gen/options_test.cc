#include "infra/gen/options.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/cloudformation/check.h"
#include "infra/cloudformation/template.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {
namespace {

using ::testing::HasSubstr;

std::vector<Stack> TwoStacks() {
  const auto build = [] { return cloudformation::Template("x"); };
  return {{"first", "the first stack", build},
          {"second", "the second stack", build}};
}

absl::StatusOr<Options> Parse(const std::vector<std::string>& arguments) {
  return ParseOptions(arguments, TwoStacks());
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  const absl::Status status = Parse(arguments).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ParseOptions, MeansTheFirstStackAsJsonToStandardOutput) {
  const Options options = Parse({}).value();
  EXPECT_EQ(options.stack.name, "first");
  EXPECT_EQ(options.format, cloudformation::Format::kJson);
  EXPECT_EQ(options.out, "");
  EXPECT_FALSE(options.help);
}

TEST(ParseOptions, TakesEveryOption) {
  const Options options =
      Parse({"--format=yaml", "--out=a=b.yaml", "--stack=second", "--help"})
          .value();
  EXPECT_EQ(options.stack.name, "second");
  EXPECT_EQ(options.format, cloudformation::Format::kYaml);
  EXPECT_EQ(options.out, "a=b.yaml");
  EXPECT_TRUE(options.help);
}

TEST(ParseOptions, NamesAnArgumentThatItDoesNotKnow) {
  EXPECT_EQ(ErrorOf({"--fromat=yaml"}),
            "unknown flag --fromat, perhaps --format was meant; see --help");
  EXPECT_THAT(ErrorOf({"yaml"}), HasSubstr("\"yaml\""));
}

TEST(ParseOptions, NamesTheFormatsThatThereAre) {
  EXPECT_EQ(ErrorOf({"--format=xml"}),
            "--format: \"xml\" is neither json nor yaml");
  EXPECT_EQ(ErrorOf({"--format"}),
            "--format requires a value: --format=json|yaml; see --help");
}

TEST(ParseOptions, NamesTheStacksThatThereAre) {
  EXPECT_EQ(ErrorOf({"--stack=third"}),
            "--stack: there is no stack \"third\"; there is first, second");
}

TEST(ParseOptions, RefusesAnEmptyFileName) {
  EXPECT_THAT(ErrorOf({"--out="}), HasSubstr("--out"));
  EXPECT_THAT(ErrorOf({"--out"}), HasSubstr("--out"));
}

TEST(Usage, NamesEveryStack) {
  EXPECT_THAT(Usage(TwoStacks()), HasSubstr("first  the first stack"));
  EXPECT_THAT(Usage(TwoStacks()), HasSubstr("second  the second stack"));
}

}  // namespace
}  // namespace byoshin::infra
