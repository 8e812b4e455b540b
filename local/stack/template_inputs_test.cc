#include "local/stack/template_inputs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stack {
namespace {

std::string TemplateWith(absl::string_view sections) {
  return absl::StrCat(R"({"Resources": {"Jobs": {"Type": "AWS::SQS::Queue"}})",
                      sections, "}");
}

TEST(TemplateInputs, AreWhatTheTemplateDeclares) {
  const absl::StatusOr<TemplateInputs> inputs =
      ReadTemplateInputs(TemplateWith(R"(,
        "Metadata": {"Byoshin": {"Code": {"A": "a.zip"}}},
        "Parameters": {"A": {"Type": "String"},
                       "B": {"Type": "String", "Default": ""}})"));
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_EQ(inputs->parameters, (std::set<std::string>{"A", "B"}));
  EXPECT_EQ(inputs->required, std::set<std::string>{"A"});
  EXPECT_EQ(inputs->code, (std::map<std::string, std::string>{{"A", "a.zip"}}));
  EXPECT_TRUE(ReadTemplateInputs(TemplateWith(""))->parameters.empty());
}

TEST(TemplateInputs, NameAllParametersThatNeedAValue) {
  const TemplateInputs inputs{.required = {"A", "B", "C"}};
  EXPECT_EQ(CheckRequiredParameters(inputs, {{"B", ""}}),
            absl::InvalidArgumentError(
                "these parameters of the template have no default and need a "
                "value, given with --parameter=NAME=VALUE: A, C"));
  EXPECT_TRUE(
      CheckRequiredParameters(inputs, {{"A", "1"}, {"B", "2"}, {"C", "3"}})
          .ok());
}

TEST(TemplateInputs, RefuseMetadataThatNamesNoZips) {
  EXPECT_EQ(ReadTemplateInputs(
                TemplateWith(R"(, "Metadata": {"Byoshin": {"Code": 5}})"))
                .status(),
            absl::InvalidArgumentError(
                "line 1: Metadata.Byoshin.Code must be an object"));
  EXPECT_EQ(
      ReadTemplateInputs(
          TemplateWith(R"(, "Metadata": {"Byoshin": {"Code": {"A": []}}})"))
          .status(),
      absl::InvalidArgumentError(
          "line 1: Metadata.Byoshin.Code.A must be the name of a zip"));
  EXPECT_EQ(
      ReadTemplateInputs(
          TemplateWith(R"(, "Metadata": {"Byoshin": {"Code": {"A": "a"}}})"))
          .status(),
      absl::InvalidArgumentError(
          "line 1: Metadata.Byoshin.Code names A, which is not a parameter"));
}

}  // namespace
}  // namespace byoshin::local::stack
