#include "infra/cloudformation/writer.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {
namespace {

TEST(ToJson, IndentsByTwoSpacesAndKeepsTheOrderOfMembers) {
  EXPECT_EQ(ToJson(Object({{"b", 1}, {"a", List({true, "x", 2.5})}})),
            R"({
  "b": 1,
  "a": [
    true,
    "x",
    2.5
  ]
}
)");
}

TEST(ToJson, WritesEmptyListsAndObjectsOnOneLine) {
  EXPECT_EQ(ToJson(Object({{"a", List({})}, {"b", Object({})}})),
            "{\n  \"a\": [],\n  \"b\": {}\n}\n");
}

TEST(ToJson, EscapesText) {
  EXPECT_EQ(ToJson("say \"hi\"\n"), "\"say \\\"hi\\\"\\n\"\n");
}

TEST(ToCompactJson, WritesEveryFunctionInItsLongForm) {
  EXPECT_EQ(ToCompactJson(Ref("Queue")), R"({"Ref":"Queue"})");
  EXPECT_EQ(ToCompactJson(GetAtt("Queue", "Arn")),
            R"({"Fn::GetAtt":["Queue","Arn"]})");
  EXPECT_EQ(ToCompactJson(Sub("${Queue}-x")), R"({"Fn::Sub":"${Queue}-x"})");
  EXPECT_EQ(ToCompactJson(Sub("${A}", {{"A", Ref("Queue")}})),
            R"({"Fn::Sub":["${A}",{"A":{"Ref":"Queue"}}]})");
  EXPECT_EQ(ToCompactJson(Join(",", {"a", Ref("B")})),
            R"({"Fn::Join":[",",["a",{"Ref":"B"}]]})");
  EXPECT_EQ(ToCompactJson(If("C", 1, NoValue())),
            R"({"Fn::If":["C",1,{"Ref":"AWS::NoValue"}]})");
  EXPECT_EQ(ToCompactJson(And({Condition("C"), Not(Equals(Ref("P"), ""))})),
            R"({"Fn::And":[{"Condition":"C"},)"
            R"({"Fn::Not":[{"Fn::Equals":[{"Ref":"P"},""]}]}]})");
  EXPECT_EQ(ToCompactJson(Or({Condition("C"), Condition("D")})),
            R"({"Fn::Or":[{"Condition":"C"},{"Condition":"D"}]})");
}

TEST(Seconds, CountsWholeSeconds) {
  EXPECT_EQ(ToCompactJson(Seconds(absl::Minutes(3))), "180");
}

TEST(SecondsDeathTest, RefusesAFractionOfASecond) {
  EXPECT_DEATH(Seconds(absl::Milliseconds(1500)), "whole number of seconds");
}

TEST(Object, LeavesOutAbsentMembers) {
  EXPECT_EQ(ToCompactJson(Object({{"a", Value()}, {"b", 1}})), R"({"b":1})");
}

TEST(ToYaml, ShowsFunctionsInTheirShortForm) {
  EXPECT_EQ(ToYaml(Object({{"A", Ref("Queue")},
                           {"B", GetAtt("Queue", "Arn")},
                           {"C", Sub("${Queue}-x")},
                           {"D", If("Cond", "yes", List({1, 2}))}})),
            R"(A: !Ref Queue

B: !GetAtt Queue.Arn

C: !Sub "${Queue}-x"

D: !If
  - Cond
  - "yes"
  - - 1
    - 2
)");
}

TEST(ToYaml, NestsListsAndObjects) {
  EXPECT_EQ(
      ToYaml(Object(
          {{"Tags", List({Object({{"Key", "a"}, {"Value", Object({{"x", 1}})}}),
                          Object({{"Key", "b"}})})},
           {"None", List({})}})),
      R"(Tags:
  - Key: a
    Value:
      x: 1
  - Key: b

None: []
)");
}

// A YAML reader would take each of these for something other than text.
class AmbiguousText : public ::testing::TestWithParam<const char*> {};

TEST_P(AmbiguousText, IsQuotedInYaml) {
  EXPECT_EQ(ToYaml(GetParam()), ToJson(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Examples, AmbiguousText,
                         ::testing::Values("", "yes", "NO", "true", "null",
                                           "12", "1e3", "2012-10-17", "0x1F",
                                           "a: b", "a:", "a ", "*", "# x",
                                           "a #b", "${A}", "- a", "'a", "a\nb",
                                           "[a]", "{a}", "~", "@a", "%a"));

TEST(ToYaml, LeavesPlainTextUnquoted) {
  EXPECT_EQ(ToYaml("AWS::SQS::Queue"), "AWS::SQS::Queue\n");
  EXPECT_EQ(ToYaml("/byoshin/sender"), "/byoshin/sender\n");
}

}  // namespace
}  // namespace byoshin::infra::cloudformation
