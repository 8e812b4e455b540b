#include "local/cloudformation/template.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/cloudformation/parameters.h"

namespace byoshin::local::cloudformation {
namespace {

std::string MistakeIn(absl::string_view text) {
  const absl::StatusOr<Template> t = ParseTemplate(text);
  if (t.ok()) return "none";
  EXPECT_EQ(t.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(t.status().message());
}

TEST(ParseTemplate, TakesResourcesAndTheirAttributesApart) {
  const auto t = ParseTemplate(R"({
    "AWSTemplateFormatVersion": "2010-09-09",
    "Description": "d",
    "Metadata": {"any": ["thing"]},
    "Resources": {
      "A": {"Type": "T::A::A", "Metadata": {}, "DependsOn": ["B"],
            "Condition": "C", "DeletionPolicy": "Retain",
            "UpdateReplacePolicy": "RetainExceptOnCreate",
            "Properties": {"P": 1}},
      "B": {"Type": "T::B::B", "DeletionPolicy": "Delete"}}})");
  ASSERT_TRUE(t.ok()) << t.status();
  const TemplateResource& a = t->resources.at("A");
  EXPECT_EQ(a.type, "T::A::A");
  EXPECT_EQ(a.condition, "C");
  EXPECT_EQ(a.depends_on, std::vector<std::string>{"B"});
  EXPECT_EQ(a.deletion_policy, RemovalPolicy::kRetain);
  EXPECT_EQ(a.update_replace_policy, RemovalPolicy::kRetain);
  EXPECT_EQ(t->Line(*a.source), 6);
  EXPECT_EQ(t->Line(*a.properties), 9);
  EXPECT_EQ(t->resources.at("B").deletion_policy, RemovalPolicy::kDelete);
}

TEST(ParseTemplate, NamesTheLineOfEachMistake) {
  EXPECT_EQ(MistakeIn("{\n\"Resources\": }"),
            "the template is not JSON: line 2, column 14: expected a value, "
            "found '}'");
  EXPECT_EQ(MistakeIn("[]"), "the template must be a JSON object");
  EXPECT_EQ(MistakeIn("{}"),
            "line 1: Resources: at least one resource must be declared");
  const auto with = [](absl::string_view resource) {
    return MistakeIn(absl::StrCat("{\"Resources\": {\n\"A\":", resource, "}}"));
  };
  EXPECT_EQ(with("{}"), "line 2: Resources.A: Type is missing");
  EXPECT_EQ(with("3"), "line 2: Resources.A: must be an object");
  EXPECT_EQ(with("{\"Type\": \"T\",\n\"Properties\": {\"P\": {\"Q\": null}}}"),
            "line 3: Resources.A.Properties.P.Q: null values are not allowed "
            "in templates");
  EXPECT_TRUE(absl::StartsWith(
      with("{\"Type\": \"T\", \"CreationPolicy\": {}}"),
      "line 2: Resources.A: CreationPolicy is not known or not supported"));
  EXPECT_TRUE(absl::StartsWith(
      with("{\"Type\": \"T\", \"DeletionPolicy\": \"Snapshot\"}"),
      "line 2: Resources.A: DeletionPolicy must be Delete, Retain"));
  EXPECT_EQ(with("{\"Type\": \"T\", \"DependsOn\": [1]}"),
            "line 2: Resources.A: DependsOn must be a text or a list of texts");
  EXPECT_TRUE(absl::StrContains(
      MistakeIn(R"({"Transform": "X", "Resources": {"A": {"Type": "T"}}})"),
      "Transform is not known or not supported"));
  EXPECT_TRUE(
      absl::StrContains(MistakeIn(R"({"Resources": {"a-b": {"Type": "T"}}})"),
                        "names must be of letters and digits"));
  EXPECT_TRUE(absl::StrContains(MistakeIn(R"({"Resources": {"A": {"Type": "T"}},
                    "Outputs": {"O": {"Export": {}}}})"),
                                "line 2: Outputs.O: Value is missing"));
}

// With one parameter P, declared as given.
absl::StatusOr<ParameterValues> Resolve(
    absl::string_view declaration,
    const std::map<std::string, std::string>& given) {
  const auto t =
      ParseTemplate(absl::StrCat(R"({"Resources": {"A": {"Type": "T"}},
                       "Parameters": {"P": )",
                                 declaration, "}}"));
  EXPECT_TRUE(t.ok()) << t.status();
  return ResolveParameters(*t, given);
}

std::string Refusal(absl::string_view declaration, const std::string& value) {
  const auto values = Resolve(declaration, {{"P", value}});
  return values.ok() ? "none" : std::string(values.status().message());
}

TEST(ResolveParameters, TakesWhatIsGivenOrTheDefault) {
  EXPECT_EQ(Resolve(R"({"Type": "String", "Default": "d"})", {})->at("P").text,
            "d");
  EXPECT_EQ(Resolve(R"({"Type": "String", "Default": "d"})", {{"P", "g"}})
                ->at("P")
                .text,
            "g");
  EXPECT_EQ(Resolve(R"({"Type": "Number", "Default": 30})", {})->at("P").text,
            "30");
  const ParameterValue list =
      Resolve(R"({"Type": "CommaDelimitedList"})", {{"P", "a, b,c"}})->at("P");
  EXPECT_TRUE(list.is_list);
  EXPECT_EQ(list.items, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(Resolve(R"({"Type": "CommaDelimitedList", "Default": ""})", {})
                  ->at("P")
                  .items.empty());
}

TEST(ResolveParameters, RefusesWhatIsNotAllowed) {
  EXPECT_EQ(Resolve(R"({"Type": "String"})", {}).status().message(),
            "line 2: parameter P: has neither a value nor a default");
  EXPECT_EQ(Resolve(R"({"Type": "String", "Default": ""})", {{"Q", "1"}})
                .status()
                .message(),
            "the template has no parameter Q");
  EXPECT_EQ(Refusal(R"({"Type": "Number"})", "x"),
            "line 2: parameter P: \"x\" is not allowed: must be a number");
  EXPECT_EQ(Refusal(R"({"Type": "List<Number>"})", "1,2,x"),
            "line 2: parameter P: \"x\" is not allowed: must be a number");
  EXPECT_EQ(Refusal(R"({"Type": "Number", "AllowedValues": [1, 5]})", "3"),
            "line 2: parameter P: \"3\" is not allowed: must be one of 1, 5");
  EXPECT_EQ(Refusal(R"({"Type": "Number", "AllowedValues": [1, 5]})", "5"),
            "none");
  EXPECT_EQ(Refusal(R"({"Type": "String", "AllowedPattern": "[a-z]+"})", "A"),
            "line 2: parameter P: \"A\" is not allowed: must be of the pattern "
            "[a-z]+");
  EXPECT_EQ(Refusal(R"({"Type": "String", "AllowedPattern": "[a-z]+",
                        "ConstraintDescription": "letters"})",
                    "A"),
            "line 2: parameter P: \"A\" is not allowed: must be letters");
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Type": "String", "AllowedPattern": "("})", "A"),
      "AllowedPattern: regular expression"));
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Type": "String", "MinLength": 2})", "A"), "MinLength of 2"));
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Type": "String", "MaxLength": "2"})", "abc"),
      "MaxLength of 2"));
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Type": "Number", "MinValue": 2})", "1.5"), "MinValue of 2"));
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Type": "Number", "MaxValue": 2})", "3"), "MaxValue of 2"));
  EXPECT_TRUE(absl::StrContains(
      Refusal(R"({"Type": "AWS::EC2::VPC::Id"})", "3"), "Type must be one of"));
  EXPECT_TRUE(absl::StrContains(Refusal(R"({"Type": "String", "Foo": 1})", "3"),
                                "Foo is not known"));
}

TEST(ResolveParameters, DoesNotTellSecrets) {
  const std::string declaration =
      R"({"Type": "String", "NoEcho": true, "MaxLength": 3})";
  EXPECT_FALSE(absl::StrContains(Refusal(declaration, "secret"), "secret"));
  const ParameterValue value = Resolve(declaration, {{"P", "abc"}})->at("P");
  EXPECT_EQ(value.text, "abc");
  EXPECT_EQ(value.Shown(), "****");
}

}  // namespace
}  // namespace byoshin::local::cloudformation
