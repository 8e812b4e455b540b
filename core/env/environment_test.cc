#include "core/env/environment.h"

#include <cstdlib>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::env {
namespace {

using ::testing::HasSubstr;

TEST(Environment, OfProcessReadsTheVariablesOfTheProcess) {
  ASSERT_EQ(::setenv("BYOSHIN_ENVIRONMENT_TEST", "value", 1), 0);
  const Environment environment = OfProcess();
  EXPECT_EQ(environment("BYOSHIN_ENVIRONMENT_TEST"), "value");
}

TEST(Environment, OfProcessSeesLaterChanges) {
  const Environment environment = OfProcess();
  ASSERT_EQ(::setenv("BYOSHIN_ENVIRONMENT_TEST", "first", 1), 0);
  EXPECT_EQ(environment("BYOSHIN_ENVIRONMENT_TEST"), "first");
  ASSERT_EQ(::setenv("BYOSHIN_ENVIRONMENT_TEST", "second", 1), 0);
  EXPECT_EQ(environment("BYOSHIN_ENVIRONMENT_TEST"), "second");
  ASSERT_EQ(::unsetenv("BYOSHIN_ENVIRONMENT_TEST"), 0);
  EXPECT_EQ(environment("BYOSHIN_ENVIRONMENT_TEST"), std::nullopt);
}

TEST(Environment, OfProcessTakesANameThatIsPartOfALongerText) {
  ASSERT_EQ(::setenv("BYOSHIN_ENVIRONMENT_TEST", "value", 1), 0);
  const std::string text = "BYOSHIN_ENVIRONMENT_TEST_AND_MORE";
  EXPECT_EQ(OfProcess()(absl::string_view(text).substr(0, 24)), "value");
}

TEST(Environment, FromMapHasTheseVariablesAndNoOthers) {
  const Environment environment = FromMap({{"A", "1"}, {"EMPTY", ""}});
  EXPECT_EQ(environment("A"), "1");
  EXPECT_EQ(environment("EMPTY"), "");
  EXPECT_EQ(environment("a"), std::nullopt);
  EXPECT_EQ(environment("PATH"), std::nullopt);
}

TEST(Environment, NonEmptyTakesAnEmptyVariableForUnset) {
  const Environment environment = FromMap({{"A", "1"}, {"EMPTY", ""}});
  EXPECT_EQ(NonEmpty(environment, "A"), "1");
  EXPECT_EQ(NonEmpty(environment, "EMPTY"), std::nullopt);
  EXPECT_EQ(NonEmpty(environment, "MISSING"), std::nullopt);
}

TEST(Environment, RequiredGivesTheValue) {
  EXPECT_EQ(Required(FromMap({{"QUEUE_URL", " x "}}), "QUEUE_URL").value(),
            " x ");
}

TEST(Environment, RequiredNamesAMissingVariable) {
  const absl::StatusOr<std::string> value =
      Required(FromMap({{"OTHER", "x"}}), "QUEUE_URL");
  EXPECT_EQ(value.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(value.status().message(),
            "the environment variable QUEUE_URL is not set");
}

TEST(Environment, RequiredNamesAnEmptyVariable) {
  const absl::StatusOr<std::string> value =
      Required(FromMap({{"QUEUE_URL", ""}}), "QUEUE_URL");
  EXPECT_EQ(value.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(value.status().message()),
              HasSubstr("QUEUE_URL is empty"));
}

}  // namespace
}  // namespace byoshin::env
