#include "infra/cloudformation/template.h"

#include "gtest/gtest.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"

namespace byoshin::infra::cloudformation {
namespace {

struct TemplateThing {
  Value name{};

  static ResourceType Type() {
    return {.name = "Test::TemplateThing", .tags = ResourceType::Tags::kList};
  }
  Properties ToProperties() const {
    Properties properties;
    properties.Set("Name", name);
    return properties;
  }
};

struct Untagged {
  static ResourceType Type() { return {.name = "Test::Untagged"}; }
  Properties ToProperties() const { return {}; }
};

TEST(Template, WritesItsSectionsInTheUsualOrder) {
  Template stack("what it is for");
  stack.AddOutput("Out", {.description = "o", .value = 1, .condition = "C"});
  stack.Add("Mine", Untagged{});
  stack.AddCondition("C", Equals(Ref("P"), "x"));
  stack.AddAssertion("R", {.when = Equals(Ref("P"), "y"),
                           .assert_that = Equals("a", "b"),
                           .otherwise = "because"});
  stack.AddParameter("P", {.type = ParameterType::kNumber,
                           .description = "p",
                           .default_value = 5,
                           .allowed_values = {5, 6},
                           .min_value = 5,
                           .max_value = 6});
  stack.AddMetadata("M", "m");
  EXPECT_EQ(
      ToCompactJson(stack.ToValue()),
      R"({"AWSTemplateFormatVersion":"2010-09-09",)"
      R"("Description":"what it is for",)"
      R"("Metadata":{"M":"m"},)"
      R"("Parameters":{"P":{"Type":"Number","Description":"p","Default":5,)"
      R"("AllowedValues":[5,6],"MinValue":5,"MaxValue":6}},)"
      R"("Rules":{"R":{"RuleCondition":{"Fn::Equals":[{"Ref":"P"},"y"]},)"
      R"("Assertions":[{"Assert":{"Fn::Equals":["a","b"]},)"
      R"("AssertDescription":"because"}]}},)"
      R"("Conditions":{"C":{"Fn::Equals":[{"Ref":"P"},"x"]}},)"
      R"("Resources":{"Mine":{"Type":"Test::Untagged"}},)"
      R"("Outputs":{"Out":{"Condition":"C","Description":"o","Value":1}}})");
}

TEST(Template, LeavesOutSectionsThatAreEmpty) {
  Template stack("");
  stack.Add("Mine", Untagged{});
  EXPECT_EQ(ToCompactJson(stack.ToValue()),
            R"({"AWSTemplateFormatVersion":"2010-09-09",)"
            R"("Resources":{"Mine":{"Type":"Test::Untagged"}}})");
}

TEST(Template, WritesTheOptionsOfAResource) {
  Template stack("");
  stack.Add("Mine", TemplateThing{.name = "n"},
            {.condition = "C",
             .depends_on = {"A", "B"},
             .removal = RemovalPolicy::kRetain,
             .metadata = Object({{"Why", "data"}})});
  EXPECT_EQ(
      ToCompactJson(stack.ResourceValue("Mine")),
      R"({"Type":"Test::TemplateThing","Condition":"C","DependsOn":["A","B"],)"
      R"("DeletionPolicy":"Retain","UpdateReplacePolicy":"Retain",)"
      R"("Metadata":{"Why":"data"},"Properties":{"Name":"n"}})");
}

TEST(Template, TagsTheResourcesThatTakeTags) {
  Template stack("");
  stack.Add("Before", TemplateThing{});
  stack.SetTags({{"Application", "byoshin"}});
  stack.Add("Other", Untagged{});
  EXPECT_EQ(ToCompactJson(stack.ResourceValue("Before")),
            R"({"Type":"Test::TemplateThing","Properties":)"
            R"({"Tags":[{"Key":"Application","Value":"byoshin"}]}})");
  EXPECT_EQ(ToCompactJson(stack.ResourceValue("Other")),
            R"({"Type":"Test::Untagged"})");
}

TEST(Template, HasNoValueForAResourceThatIsNotThere) {
  EXPECT_TRUE(Template("").ResourceValue("Mine").absent());
}

TEST(Resource, GivesReferencesToItself) {
  const Resource resource("Queue");
  EXPECT_EQ(ToCompactJson(resource.Ref()), R"({"Ref":"Queue"})");
  EXPECT_EQ(ToCompactJson(resource.Arn()), R"({"Fn::GetAtt":["Queue","Arn"]})");
}

}  // namespace
}  // namespace byoshin::infra::cloudformation
