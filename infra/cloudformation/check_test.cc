#include "infra/cloudformation/check.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A resource with one property of each kind.
struct Thing {
  Value needs{};
  Value value = "x";

  static ResourceType Type() {
    return {.name = "Test::Thing", .attributes = {"Arn", "Url"}};
  }
  Properties ToProperties() const {
    Properties properties;
    properties.Set("Needs", needs);
    properties.Require("Value", value);
    return properties;
  }
};

// What Check says, or "OK".
std::string Mistakes(const Template& stack) {
  const absl::Status status = Check(stack);
  if (status.ok()) return "OK";
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

std::string MistakesWithProperty(Value needs) {
  Template stack("test");
  stack.AddParameter("Parameter", {});
  stack.AddCondition("Asked", Equals(Ref("Parameter"), "yes"));
  stack.Add("Other", Thing{});
  stack.Add("Mine", Thing{.needs = std::move(needs)});
  return Mistakes(stack);
}

TEST(Check, AcceptsReferencesToWhatIsThere) {
  EXPECT_EQ(MistakesWithProperty(List(
                {Ref("Parameter"), Ref("Other"), Ref("AWS::Region"),
                 GetAtt("Other", "Arn"),
                 Sub("${Parameter}${Other.Url}${AWS::StackName}${!Literal}"),
                 Sub("${Own}", {{"Own", Ref("Other")}}),
                 If("Asked", Join("-", {Ref("Other")}), NoValue())})),
            "OK");
}

TEST(Check, RefusesARefToNothingAndSaysWhere) {
  EXPECT_EQ(MistakesWithProperty(List({"a", Object({{"k", Ref("Othr")}})})),
            "the template has 1 mistake:\n"
            "  Resources/Mine/Properties/Needs/1/k/Ref: \"Othr\" is neither a "
            "parameter nor a resource of the template");
}

TEST(Check, RefusesARefToAnUnknownPseudoParameter) {
  EXPECT_THAT(MistakesWithProperty(Ref("AWS::Regoin")),
              HasSubstr("AWS::Regoin"));
}

TEST(Check, RefusesAnAttributeOfNothing) {
  EXPECT_THAT(MistakesWithProperty(GetAtt("Parameter", "Arn")),
              HasSubstr("\"Parameter\" is no resource of the template"));
}

TEST(Check, RefusesAnAttributeThatTheTypeDoesNotHave) {
  EXPECT_THAT(MistakesWithProperty(GetAtt("Other", "Name")),
              HasSubstr("Test::Thing has no attribute \"Name\"; it has Arn, "
                        "Url"));
}

TEST(Check, LooksIntoTheTextOfASub) {
  EXPECT_THAT(MistakesWithProperty(Sub("x${Othr}")), HasSubstr("\"Othr\""));
  EXPECT_THAT(MistakesWithProperty(Sub("x${Other.Nam}")),
              HasSubstr("no attribute \"Nam\""));
  EXPECT_THAT(MistakesWithProperty(Sub("x${Other")),
              HasSubstr("\"${\" without an end"));
}

TEST(Check, LooksIntoTheVariablesOfASub) {
  EXPECT_THAT(MistakesWithProperty(Sub("${A}", {{"A", Ref("Othr")}})),
              HasSubstr("Fn::Sub/A/Ref: \"Othr\""));
  EXPECT_THAT(MistakesWithProperty(Sub("x", {{"A", "y"}})),
              HasSubstr("does not use the variable \"A\""));
}

TEST(Check, RefusesAConditionThatIsNotThere) {
  EXPECT_THAT(MistakesWithProperty(If("Askd", 1, 2)),
              HasSubstr("Needs/Fn::If: \"Askd\" is no condition"));

  Template stack("test");
  stack.Add("Mine", Thing{}, {.condition = "Resource"});
  stack.AddOutput("Out", {.value = "x", .condition = "OfOutput"});
  stack.AddCondition("C", Not(Condition("OfCondition")));
  EXPECT_THAT(Mistakes(stack),
              AllOf(HasSubstr("Resources/Mine/Condition: \"Resource\""),
                    HasSubstr("Outputs/Out: \"OfOutput\""),
                    HasSubstr("Conditions/C/Fn::Not/0/Condition: "
                              "\"OfCondition\"")));
}

TEST(Check, RefusesAResourceInAConditionOrARule) {
  Template stack("test");
  stack.Add("Mine", Thing{});
  stack.AddCondition("C", Equals(Ref("Mine"), "x"));
  stack.AddAssertion(
      "R", {.assert_that = Equals(Ref("Mine"), "x"), .otherwise = "no"});
  EXPECT_THAT(Mistakes(stack),
              AllOf(HasSubstr("Conditions/C/Fn::Equals/0/Ref: \"Mine\" is a "
                              "resource"),
                    HasSubstr("Rules/R/Fn::Equals/0/Ref: \"Mine\" is a "
                              "resource")));
}

TEST(Check, RefusesADependencyOnNothing) {
  Template stack("test");
  stack.Add("Mine", Thing{}, {.depends_on = {"Othr"}});
  EXPECT_THAT(Mistakes(stack), HasSubstr("Resources/Mine/DependsOn: \"Othr\" "
                                         "is no resource"));
}

TEST(Check, RefusesAnOutputOfNothing) {
  Template stack("test");
  stack.AddOutput("Out", {.value = Ref("Othr")});
  stack.AddOutput("Empty", {});
  EXPECT_THAT(Mistakes(stack),
              AllOf(HasSubstr("Outputs/Out/Ref: \"Othr\""),
                    HasSubstr("Outputs/Empty: there is no value")));
}

TEST(Check, RefusesAnIdThatIsUsedTwice) {
  Template stack("test");
  stack.AddParameter("Twin", {});
  stack.AddParameter("P", {});
  stack.AddParameter("P", {});
  stack.Add("Twin", Thing{});
  stack.Add("R", Thing{});
  stack.Add("R", Thing{});
  stack.AddOutput("O", {.value = 1});
  stack.AddOutput("O", {.value = 2});
  EXPECT_EQ(Mistakes(stack),
            "the template has 4 mistakes:\n"
            "  Parameters/P: declared twice\n"
            "  Outputs/O: declared twice\n"
            "  Resources/Twin: a parameter has the same id\n"
            "  Resources/R: declared twice");
}

TEST(Check, RefusesAMemberThatIsSetTwice) {
  EXPECT_THAT(MistakesWithProperty(Object({{"URL", 1}, {"URL", 2}})),
              HasSubstr("Needs/URL: declared twice"));
}

TEST(Check, RefusesAnIdThatIsNotAlphanumeric) {
  Template stack("test");
  stack.Add("my-thing", Thing{});
  EXPECT_THAT(Mistakes(stack), HasSubstr("only letters and digits"));
}

TEST(Check, RefusesAMissingRequiredProperty) {
  Template stack("test");
  stack.Add("Mine", Thing{.value = Value()});
  EXPECT_THAT(Mistakes(stack),
              HasSubstr("Resources/Mine: the property Value is required"));
}

TEST(Check, RefusesAnAbsentValueInsideAList) {
  EXPECT_THAT(MistakesWithProperty(List({Value()})),
              HasSubstr("Needs/0: there is no value"));
}

TEST(Check, RefusesAPatternThatNobodyExplains) {
  Template stack("test");
  stack.AddParameter("P", {.allowed_pattern = "^[a-z]+$"});
  EXPECT_THAT(Mistakes(stack), HasSubstr("Parameters/P: a pattern needs"));
}

TEST(Check, RefusesResourcesThatNeedEachOther) {
  Template stack("test");
  stack.Add("A", Thing{.needs = Ref("B")});
  stack.Add("B", Thing{.needs = Sub("${C.Arn}")});
  stack.Add("C", Thing{}, {.depends_on = {"A"}});
  stack.Add("D", Thing{.needs = Ref("A")});
  EXPECT_EQ(Mistakes(stack),
            "the template has 1 mistake:\n"
            "  Resources/A: depends on itself: A needs B needs C needs A");
}

TEST(Check, AllowsTwoWaysToTheSameResource) {
  Template stack("test");
  stack.Add("Top", Thing{.needs = List({Ref("Left"), Ref("Right")})});
  stack.Add("Left", Thing{.needs = Ref("Bottom")});
  stack.Add("Right", Thing{.needs = Ref("Bottom")});
  stack.Add("Bottom", Thing{});
  EXPECT_EQ(Mistakes(stack), "OK");
}

TEST(WriteTemplate, WritesNothingThatIsWrong) {
  Template stack("test");
  stack.Add("Mine", Thing{.needs = Ref("Othr")});
  EXPECT_EQ(WriteTemplate(stack, Format::kJson).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(WriteTemplate, WritesJsonOrYaml) {
  Template stack("test");
  stack.Add("Mine", Thing{});
  EXPECT_THAT(WriteTemplate(stack, Format::kJson).value(),
              HasSubstr("\"Type\": \"Test::Thing\""));
  EXPECT_THAT(WriteTemplate(stack, Format::kYaml).value(),
              HasSubstr("    Type: Test::Thing\n"));
}

}  // namespace
}  // namespace byoshin::infra::cloudformation
