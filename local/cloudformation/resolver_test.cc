#include "local/cloudformation/resolver.h"

#include <json/json.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr char kTop[] = R"({
  "Parameters": {
    "Name": {"Type": "String", "Default": "orders"},
    "Count": {"Type": "Number", "Default": 0},
    "Zones": {"Type": "CommaDelimitedList", "Default": "a,b"}},
  "Mappings": {"Sizes": {"small": {"MB": 128, "List": ["x", "y"]}}},
  "Conditions": {
    "Yes": {"Fn::Equals": [{"Ref": "Name"}, "orders"]},
    "No": {"Fn::Not": [{"Condition": "Yes"}]},
    "Zero": {"Fn::Equals": [{"Ref": "Count"}, 0]},
    "Both": {"Fn::And": [{"Condition": "Yes"}, {"Condition": "Zero"}]},
    "NotBoth": {"Fn::And": [{"Condition": "Yes"}, {"Condition": "No"}]},
    "Either": {"Fn::Or": [{"Condition": "No"}, {"Condition": "Zero"}]},
    "Neither": {"Fn::Or": [{"Condition": "No"}, {"Condition": "NotBoth"}]}},
  "Resources": {
    "Off": {"Type": "T", "Condition": "No"},
    "A": {"Type": "T", "Properties": {
"Value": )";

class ResolverTest : public ::testing::Test {
 protected:
  // What the value becomes as a property of a resource, or the error.
  std::string Resolved(absl::string_view value) {
    const auto t = ParseTemplate(absl::StrCat(kTop, value, "}}}}"));
    if (!t.ok()) return absl::StrCat("template: ", t.status().message());
    const auto parameters = ResolveParameters(*t, given_);
    EXPECT_TRUE(parameters.ok()) << parameters.status();
    const StackContext stack{.stack_name = "s", .stack_id = "arn:stack"};
    const auto resolver = Resolver::Make(*t, *parameters, stack);
    if (!resolver.ok()) return std::string(resolver.status().message());
    EXPECT_TRUE(resolver->Exists("A"));
    EXPECT_FALSE(resolver->Exists("Off"));
    const auto properties = resolver->Properties(
        *t->resources.at("A").properties,
        [](const std::string& resource,
           const std::string& attribute) -> absl::StatusOr<std::string> {
          if (resource != "Queue") {
            return absl::NotFoundError(absl::StrCat("no ", resource));
          }
          return attribute.empty() ? "http://queue"
                                   : absl::StrCat("queue's ", attribute);
        });
    if (!properties.ok()) return std::string(properties.status().message());
    if (!properties->isMember("Value")) return "nothing";
    return json::WriteValue((*properties)["Value"]);
  }

  std::map<std::string, std::string> given_;
};

TEST_F(ResolverTest, LeavesValuesAsTheyAre) {
  EXPECT_EQ(Resolved(R"({"a": [1, true, "x", {"Condition": {"b": 1}}]})"),
            R"({"a":[1,true,"x",{"Condition":{"b":1}}]})");
}

TEST_F(ResolverTest, RefGivesParametersAndPseudoParametersAndResources) {
  EXPECT_EQ(Resolved(R"({"Ref": "Name"})"), R"("orders")");
  EXPECT_EQ(Resolved(R"({"Ref": "Count"})"), R"("0")");
  EXPECT_EQ(Resolved(R"({"Ref": "Zones"})"), R"(["a","b"])");
  EXPECT_EQ(Resolved(R"({"Ref": "Queue"})"), R"("http://queue")");
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::Region"})"), R"("us-east-1")");
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::AccountId"})"), R"("000000000000")");
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::Partition"})"), R"("aws")");
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::StackName"})"), R"("s")");
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::StackId"})"), R"("arn:stack")");
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::URLSuffix"})"), R"("amazonaws.com")");
  EXPECT_EQ(Resolved(R"({"Ref": "Other"})"),
            "property Value, line 18: no Other");
  EXPECT_EQ(Resolved(R"({"Ref": 5})"),
            "property Value, line 18: Ref must be a name");
}

TEST_F(ResolverTest, NoValueTakesThePropertyAway) {
  EXPECT_EQ(Resolved(R"({"Ref": "AWS::NoValue"})"), "nothing");
  EXPECT_EQ(Resolved(R"({"a": {"Ref": "AWS::NoValue"}, "b": 1})"),
            R"({"b":1})");
  EXPECT_EQ(Resolved(R"([1, {"Ref": "AWS::NoValue"}, 2])"), "[1,2]");
}

TEST_F(ResolverTest, GetAttTakesBothForms) {
  EXPECT_EQ(Resolved(R"({"Fn::GetAtt": ["Queue", "Arn"]})"),
            R"("queue's Arn")");
  EXPECT_EQ(Resolved(R"({"Fn::GetAtt": "Queue.Arn"})"), R"("queue's Arn")");
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::GetAtt": ["Queue"]})"),
                                "Fn::GetAtt needs"));
}

TEST_F(ResolverTest, SubPutsValuesIntoText) {
  EXPECT_EQ(Resolved(R"({"Fn::Sub": "${Name}-${AWS::Region}/${Queue.Arn}$"})"),
            R"("orders-us-east-1/queue's Arn$")");
  EXPECT_EQ(Resolved(R"({"Fn::Sub": "${!Name}"})"), R"("${Name}")");
  EXPECT_EQ(Resolved(R"({"Fn::Sub": ["${Name} ${X}",
                          {"X": {"Ref": "Queue"}, "Name": 7}]})"),
            R"("7 http://queue")");
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::Sub": "${Name"})"),
                                "without a \"}\""));
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::Sub": "${Zones}"})"),
                                "Zones is not a text"));
  EXPECT_TRUE(
      absl::StrContains(Resolved(R"({"Fn::Sub": []})"), "Fn::Sub needs"));
}

TEST_F(ResolverTest, JoinSelectAndSplitHandleLists) {
  EXPECT_EQ(Resolved(R"({"Fn::Join": [":", ["a", {"Ref": "Name"}, 3]]})"),
            R"("a:orders:3")");
  EXPECT_EQ(Resolved(R"({"Fn::Join": ["", {"Ref": "Zones"}]})"), R"("ab")");
  EXPECT_EQ(Resolved(R"({"Fn::Select": ["1", {"Ref": "Zones"}]})"), R"("b")");
  EXPECT_EQ(Resolved(R"({"Fn::Select": [0, ["x"]]})"), R"("x")");
  EXPECT_EQ(Resolved(R"({"Fn::Split": ["-", "a-b--c"]})"),
            R"(["a","b","","c"])");
  EXPECT_EQ(Resolved(R"({"Fn::Select": [2,
                          {"Fn::Split": [":", {"Fn::Sub": "x:y:${Name}"}]}]})"),
            R"("orders")");
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::Select": [2, ["x"]]})"),
                                "cannot select 2 of a list of 1"));
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::Select": [-1, ["x"]]})"),
                                "cannot select -1"));
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::Join": [":", "a"]})"),
                                "a list is needed here"));
  EXPECT_TRUE(
      absl::StrContains(Resolved(R"({"Fn::Join": [":"]})"), "Fn::Join needs"));
  EXPECT_TRUE(
      absl::StrContains(Resolved(R"({"Fn::Split": ["", "a"]})"), "not empty"));
}

TEST_F(ResolverTest, FindInMapLooksUp) {
  EXPECT_EQ(Resolved(R"({"Fn::FindInMap": ["Sizes", "small", "MB"]})"), "128");
  EXPECT_EQ(Resolved(R"({"Fn::FindInMap": ["Sizes", "small", "List"]})"),
            R"(["x","y"])");
  EXPECT_TRUE(absl::StrContains(
      Resolved(R"({"Fn::FindInMap": ["Sizes", "big", "MB"]})"),
      "unable to get mapping for Sizes::big::MB"));
  EXPECT_TRUE(absl::StrContains(
      Resolved(R"({"Fn::FindInMap": ["Other", "big", "MB"]})"),
      "there is no mapping Other"));
}

TEST_F(ResolverTest, IfChoosesByCondition) {
  for (const char* name : {"Yes", "Zero", "Both", "Either"}) {
    EXPECT_EQ(Resolved(absl::StrCat(R"({"Fn::If": [")", name, R"(", 1, 2]})")),
              "1")
        << name;
  }
  for (const char* name : {"No", "NotBoth", "Neither"}) {
    EXPECT_EQ(Resolved(absl::StrCat(R"({"Fn::If": [")", name, R"(", 1, 2]})")),
              "2")
        << name;
  }
  EXPECT_EQ(Resolved(R"({"Fn::If": ["No", 1, {"Ref": "AWS::NoValue"}]})"),
            "nothing");
  // The branch that is not taken need not make sense in this deployment.
  EXPECT_EQ(Resolved(R"({"Fn::If": ["Yes", 1, {"Ref": "Off"}]})"), "1");
  EXPECT_EQ(Resolved(R"({"Fn::If": ["Zero", 1, 2]})"), "1");
  given_ = {{"Count", "5"}};
  EXPECT_EQ(Resolved(R"({"Fn::If": ["Zero", 1, 2]})"), "2");
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"Fn::If": ["Other", 1, 2]})"),
                                "there is no condition"));
}

TEST_F(ResolverTest, RefusesFunctionsThatItDoesNotHave) {
  EXPECT_EQ(Resolved(R"({"Fn::ImportValue": "x"})"),
            "property Value, line 18: function Fn::ImportValue is not "
            "supported here");
  EXPECT_TRUE(absl::StrContains(Resolved(R"({"a": {"Fn::Equals": [1, 1]}})"),
                                "property Value.a, line 18: function "
                                "Fn::Equals is not supported here"));
}

absl::Status WithConditions(absl::string_view conditions,
                            absl::string_view rules = "{}",
                            const std::string& parameter = "x") {
  const auto t = ParseTemplate(absl::StrCat(
      R"({"Parameters": {"P": {"Type": "String"},
                         "L": {"Type": "CommaDelimitedList",
                               "Default": "a,a,b"}},
          "Resources": {"A": {"Type": "T"}}, "Conditions": )",
      conditions, ", \"Rules\": ", rules, "}"));
  EXPECT_TRUE(t.ok()) << t.status();
  const auto parameters = ResolveParameters(*t, {{"P", parameter}});
  EXPECT_TRUE(parameters.ok()) << parameters.status();
  const StackContext stack;
  const auto resolver = Resolver::Make(*t, *parameters, stack);
  return resolver.ok() ? resolver->CheckRules() : resolver.status();
}

TEST(Conditions, RefuseCirclesAndNonsense) {
  EXPECT_TRUE(absl::StrContains(
      WithConditions(R"({"A": {"Fn::Not": [{"Condition": "B"}]},
                         "B": {"Fn::Not": [{"Condition": "A"}]}})")
          .message(),
      "depends on itself"));
  EXPECT_TRUE(absl::StrContains(
      WithConditions(R"({"A": {"Fn::Not": [{"Condition": "C"}]}})").message(),
      "there is no condition C"));
  EXPECT_TRUE(absl::StrContains(
      WithConditions(R"({"A": {"Fn::And": [{"Fn::Equals": [1, 1]}]}})")
          .message(),
      "Fn::And needs 2 to 10 conditions"));
  EXPECT_TRUE(absl::StrContains(
      WithConditions(R"({"A": {"Fn::Equals": [1]}})").message(),
      "Fn::Equals needs two values"));
  EXPECT_TRUE(
      absl::StrContains(WithConditions(R"({"A": {"Ref": "P"}})").message(),
                        "Ref is neither true nor false"));
  EXPECT_TRUE(absl::StrContains(
      WithConditions(R"({"A": {"Fn::Equals": [{"Ref": "Q"}, 1]}})").message(),
      "Ref to Q, which is not a parameter"));
}

TEST(Rules, RefuseParametersInTheirOwnWords) {
  const std::string rules = R"({"R": {
      "RuleCondition": {"Fn::Equals": [{"Ref": "P"}, "x"]},
      "Assertions": [{"Assert": {"Fn::Contains": [["y"], {"Ref": "P"}]},
                      "AssertDescription": "P must be y."}]}})";
  const absl::Status broken = WithConditions("{}", rules);
  EXPECT_EQ(broken.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(broken.message(), "rule R: P must be y.");
  EXPECT_TRUE(WithConditions("{}", rules, "z").ok());
}

TEST(Rules, HaveFunctionsOfTheirOwn) {
  const auto holds = [](absl::string_view assertion) {
    return WithConditions("{}",
                          absl::StrCat(R"({"R": {"Assertions": [{"Assert":)",
                                       assertion, "}]}}"))
        .ok();
  };
  EXPECT_TRUE(holds(R"({"Fn::Contains": [["x", "y"], {"Ref": "P"}]})"));
  EXPECT_FALSE(holds(R"({"Fn::Contains": [["y"], {"Ref": "P"}]})"));
  EXPECT_TRUE(holds(R"({"Fn::EachMemberEquals": [["x", "x"], "x"]})"));
  EXPECT_FALSE(holds(R"({"Fn::EachMemberEquals": [{"Ref": "L"}, "a"]})"));
  EXPECT_TRUE(holds(R"({"Fn::EachMemberIn": [{"Ref": "L"}, ["b", "a"]]})"));
  EXPECT_FALSE(holds(R"({"Fn::EachMemberIn": [{"Ref": "L"}, ["a"]]})"));
  EXPECT_TRUE(holds(R"({"Fn::Not": [{"Fn::Equals": [1, 2]}]})"));
  EXPECT_FALSE(holds(R"({"Fn::RefAll": "AWS::EC2::VPC::Id"})"));
}

}  // namespace
}  // namespace byoshin::local::cloudformation
