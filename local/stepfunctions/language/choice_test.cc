#include "local/stepfunctions/language/choice.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr absl::string_view kValues = R"({
  "text": "b", "number": 5, "float": 5.0, "true": true, "null": null,
  "time": "2024-01-01T00:00:00Z", "later": "2024-01-01T02:00:00+01:00",
  "star": "a*c", "path": "log/2024.txt", "list": [1]
})";

// "true", "false", the cause of an error, or what is wrong with the rule.
std::string Rule(absl::string_view rule) {
  Diagnostics diagnostics;
  const Condition condition =
      Condition::Parse(D(rule), "/Choices[0]", diagnostics);
  if (diagnostics.has_error()) {
    const Diagnostic& first = diagnostics.list()[0];
    return absl::StrCat(first.message, " at ", first.location);
  }
  Scope scope;
  scope.input = D(kValues);
  const Evaluated<bool> holds = condition.Holds(scope);
  if (!holds.ok()) {
    return absl::StrCat(holds.error().error, ": ", holds.error().cause);
  }
  return *holds ? "true" : "false";
}

// The rule that compares `variable` by `op` with `operand`.
std::string Compare(absl::string_view variable, absl::string_view op,
                    absl::string_view operand) {
  return Rule(absl::StrCat(R"({"Variable":"$.)", variable, R"(",")", op,
                           "\":", operand, "}"));
}

TEST(Condition, ComparesText) {
  EXPECT_EQ(Compare("text", "StringEquals", R"("b")"), "true");
  EXPECT_EQ(Compare("text", "StringEquals", R"("a")"), "false");
  EXPECT_EQ(Compare("text", "StringLessThan", R"("c")"), "true");
  EXPECT_EQ(Compare("text", "StringLessThan", R"("b")"), "false");
  EXPECT_EQ(Compare("text", "StringLessThanEquals", R"("b")"), "true");
  EXPECT_EQ(Compare("text", "StringGreaterThan", R"("a")"), "true");
  EXPECT_EQ(Compare("text", "StringGreaterThanEquals", R"("c")"), "false");
  EXPECT_EQ(Compare("text", "StringEqualsPath", R"("$.text")"), "true");
  EXPECT_EQ(Compare("text", "StringEqualsPath", R"("$.star")"), "false");
}

TEST(Condition, ComparesNumbers) {
  EXPECT_EQ(Compare("number", "NumericEquals", "5.0"), "true");
  EXPECT_EQ(Compare("number", "NumericEqualsPath", R"("$.float")"), "true");
  EXPECT_EQ(Compare("number", "NumericLessThan", "5"), "false");
  EXPECT_EQ(Compare("number", "NumericLessThanEquals", "5"), "true");
  EXPECT_EQ(Compare("number", "NumericGreaterThan", "4.9"), "true");
  EXPECT_EQ(Compare("number", "NumericGreaterThanEquals", "6"), "false");
}

TEST(Condition, ComparesBooleansAndTimestamps) {
  EXPECT_EQ(Compare("true", "BooleanEquals", "true"), "true");
  EXPECT_EQ(Compare("true", "BooleanEqualsPath", R"("$.true")"), "true");
  EXPECT_EQ(Compare("true", "BooleanEquals", "false"), "false");
  EXPECT_EQ(Compare("time", "TimestampLessThanPath", R"("$.later")"), "true");
  EXPECT_EQ(
      Compare("later", "TimestampEquals", R"("2024-01-01T01:00:00.000Z")"),
      "true");
  EXPECT_EQ(
      Compare("time", "TimestampGreaterThan", R"("2023-12-31T23:59:59Z")"),
      "true");
}

TEST(Condition, DoesNotHoldForOtherTypes) {
  EXPECT_EQ(Compare("number", "StringEquals", R"("5")"), "false");
  EXPECT_EQ(Compare("text", "NumericLessThan", "5"), "false");
  EXPECT_EQ(Compare("text", "BooleanEquals", "true"), "false");
  EXPECT_EQ(Compare("text", "TimestampEquals", R"("2024-01-01T00:00:00Z")"),
            "false");
  EXPECT_EQ(Compare("number", "StringMatches", R"("*")"), "false");
}

TEST(Condition, TestsTypes) {
  EXPECT_EQ(Compare("text", "IsString", "true"), "true");
  EXPECT_EQ(Compare("text", "IsString", "false"), "false");
  EXPECT_EQ(Compare("number", "IsNumeric", "true"), "true");
  EXPECT_EQ(Compare("true", "IsBoolean", "true"), "true");
  EXPECT_EQ(Compare("null", "IsNull", "true"), "true");
  EXPECT_EQ(Compare("list", "IsNull", "false"), "true");
  EXPECT_EQ(Compare("time", "IsTimestamp", "true"), "true");
  EXPECT_EQ(Compare("text", "IsTimestamp", "true"), "false");
  EXPECT_EQ(Compare("null", "IsPresent", "true"), "true");
  EXPECT_EQ(Compare("missing", "IsPresent", "true"), "false");
  EXPECT_EQ(Compare("missing", "IsPresent", "false"), "true");
}

TEST(Condition, FailsIfAVariableIsMissing) {
  EXPECT_EQ(Compare("missing", "IsNull", "true"),
            "States.Runtime: Invalid path '$.missing': The choice state's "
            "condition path references an invalid value.");
  EXPECT_EQ(Compare("text", "StringEqualsPath", R"("$.none")"),
            "States.Runtime: Invalid path '$.none': The choice state's "
            "condition path references an invalid value.");
}

TEST(Condition, MatchesPatterns) {
  EXPECT_EQ(Compare("path", "StringMatches", R"("log/*.txt")"), "true");
  EXPECT_EQ(Compare("path", "StringMatches", R"("log/*")"), "true");
  EXPECT_EQ(Compare("path", "StringMatches", R"("*")"), "true");
  EXPECT_EQ(Compare("path", "StringMatches", R"("*2*2*t")"), "true");
  EXPECT_EQ(Compare("path", "StringMatches", R"("log/*.csv")"), "false");
  EXPECT_EQ(Compare("path", "StringMatches", R"("log")"), "false");
  EXPECT_EQ(Compare("star", "StringMatches", R"("a\\*c")"), "true");
  EXPECT_EQ(Compare("path", "StringMatches", R"("log\\*txt")"), "false");
}

TEST(Condition, CombinesRules) {
  const std::string yes = R"({"Variable":"$.text","IsString":true})";
  const std::string no = R"({"Variable":"$.text","IsNull":true})";
  EXPECT_EQ(Rule(absl::StrCat(R"({"And":[)", yes, ",", yes, "]}")), "true");
  EXPECT_EQ(Rule(absl::StrCat(R"({"And":[)", yes, ",", no, "]}")), "false");
  EXPECT_EQ(Rule(absl::StrCat(R"({"Or":[)", no, ",", yes, "]}")), "true");
  EXPECT_EQ(Rule(absl::StrCat(R"({"Or":[)", no, ",", no, "]}")), "false");
  EXPECT_EQ(Rule(absl::StrCat(R"({"Not":)", no, "}")), "true");
  EXPECT_EQ(Rule(absl::StrCat(R"({"Not":{"And":[)", yes, "]}}")), "false");
}

TEST(Condition, RefusesRulesThatAreNone) {
  EXPECT_EQ(Rule("1"), "Expected value of type [OBJECT] at /Choices[0]");
  EXPECT_EQ(Rule(R"({"Next":"A"})"),
            "The object must have only one of the following fields, [And, Or, "
            "Not, Variable, Condition] at /Choices[0]");
  EXPECT_EQ(Rule(R"({"Variable":"x","IsNull":true})"),
            "Value is not a Reference Path: Reference path didn't start with "
            "'$' at /Choices[0]/Variable");
  EXPECT_EQ(Rule(R"({"Variable":"$.x","StringEquals":1})"),
            "Expected value of type [STRING] at /Choices[0]/StringEquals");
  EXPECT_EQ(Rule(R"({"Variable":"$.x","NumericEquals":"1"})"),
            "Expected value of type [NUMBER] at /Choices[0]/NumericEquals");
  EXPECT_EQ(Rule(R"({"Variable":"$.x","IsNull":"1"})"),
            "Expected value of type [BOOLEAN] at /Choices[0]/IsNull");
  EXPECT_EQ(Rule(R"({"Variable":"$.x","TimestampEquals":"yesterday"})"),
            "String does not match RFC3339 timestamp at "
            "/Choices[0]/TimestampEquals");
  EXPECT_EQ(Rule(R"({"Variable":"$.x","IsNil":true})"),
            "Field 'IsNil' is not supported at /Choices[0]");
  EXPECT_EQ(Rule(R"({"And":[]})"), "Value cannot be empty at /Choices[0]/And");
  EXPECT_EQ(Rule(R"({"Not":{"Variable":"$.x","IsNull":true,"Next":"A"}})"),
            "Field 'Next' is not supported at /Choices[0]/Not");
}

TEST(Condition, RefusesRulesThatAreNestedTooDeep) {
  std::string rule = R"({"Variable":"$.x","IsNull":true})";
  for (int i = 0; i < 200; ++i) rule = absl::StrCat(R"({"Not":)", rule, "}");
  EXPECT_EQ(Rule(rule).substr(0, 27), "The rule is nested too deep");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
