#include "local/events/pattern.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::events {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

bool Matches(const std::string& pattern, const std::string& event) {
  const absl::StatusOr<EventPattern> parsed = EventPattern::Parse(pattern);
  EXPECT_TRUE(parsed.ok()) << pattern << ": " << parsed.status();
  return parsed.ok() && parsed->Matches(json::ParseValue(event).value());
}

// Whether {"a": [condition]} matches {"a": value}.
bool MatchesValue(const std::string& condition, const std::string& value) {
  return Matches(absl::StrCat(R"({"a":[)", condition, "]}"),
                 absl::StrCat(R"({"a":)", value, "}"));
}

std::string ReasonAgainst(const std::string& pattern) {
  const absl::Status status = EventPattern::Parse(pattern).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << pattern;
  EXPECT_THAT(std::string(status.message()),
              StartsWith("Event pattern is not valid. Reason: "));
  return std::string(status.message());
}

TEST(EventPattern, MatchesWhatHasAllFields) {
  const std::string pattern =
      R"({"source":["aws.states"],"detail":{"status":["FAILED","TIMED_OUT"]}})";
  EXPECT_TRUE(Matches(
      pattern, R"({"source":"aws.states","detail":{"status":"TIMED_OUT"}})"));
  EXPECT_FALSE(Matches(
      pattern, R"({"source":"aws.states","detail":{"status":"RUNNING"}})"));
  EXPECT_FALSE(
      Matches(pattern, R"({"source":"mine","detail":{"status":"FAILED"}})"));
  EXPECT_FALSE(Matches(pattern, R"({"source":"aws.states","detail":{}})"));
  EXPECT_FALSE(Matches(pattern, R"({"source":"aws.states"})"));
  EXPECT_FALSE(
      Matches(pattern, R"({"source":"aws.states","detail":"FAILED"})"));
}

TEST(EventPattern, ComparesValuesExactly) {
  EXPECT_TRUE(MatchesValue(R"("x")", R"("x")"));
  EXPECT_FALSE(MatchesValue(R"("x")", R"("X")"));
  EXPECT_TRUE(MatchesValue(R"("")", R"("")"));
  EXPECT_FALSE(MatchesValue(R"("")", "null"));
  EXPECT_TRUE(MatchesValue("null", "null"));
  EXPECT_TRUE(MatchesValue("true", "true"));
  EXPECT_FALSE(MatchesValue("true", R"("true")"));
  EXPECT_TRUE(MatchesValue("5", "5.0"));
  EXPECT_FALSE(MatchesValue("5", R"("5")"));
}

TEST(EventPattern, MatchesAnElementOfAList) {
  EXPECT_TRUE(MatchesValue(R"("x")", R"(["w","x"])"));
  EXPECT_TRUE(MatchesValue(R"("x")", R"([["x"]])"));
  EXPECT_FALSE(MatchesValue(R"("x")", R"(["w"])"));
  EXPECT_FALSE(MatchesValue(R"("x")", "[]"));
  EXPECT_FALSE(MatchesValue(R"("x")", R"({"x":"x"})"));
}

TEST(EventPattern, MatchesAllFieldsInOneObjectOfAList) {
  const std::string pattern = R"({"items":{"a":[1],"b":[2]}})";
  EXPECT_TRUE(Matches(pattern, R"({"items":[{"a":0,"b":2},{"a":1,"b":2}]})"));
  EXPECT_FALSE(Matches(pattern, R"({"items":[{"a":1,"b":0},{"a":0,"b":2}]})"));
}

TEST(EventPattern, KnowsPrefixAndSuffix) {
  EXPECT_TRUE(MatchesValue(R"({"prefix":"ab"})", R"("abc")"));
  EXPECT_FALSE(MatchesValue(R"({"prefix":"ab"})", R"("Abc")"));
  EXPECT_TRUE(MatchesValue(R"({"prefix":""})", R"("")"));
  EXPECT_FALSE(MatchesValue(R"({"prefix":"1"})", "12"));
  EXPECT_TRUE(MatchesValue(R"({"suffix":".png"})", R"("a.png")"));
  EXPECT_FALSE(MatchesValue(R"({"suffix":".png"})", R"("a.PNG")"));
  EXPECT_TRUE(
      MatchesValue(R"({"prefix":{"equals-ignore-case":"AB"}})", R"("abc")"));
  EXPECT_TRUE(MatchesValue(R"({"suffix":{"equals-ignore-case":".png"}})",
                           R"("a.PNG")"));
}

TEST(EventPattern, IgnoresCaseIfTold) {
  EXPECT_TRUE(MatchesValue(R"({"equals-ignore-case":"alice"})", R"("ALICE")"));
  EXPECT_FALSE(MatchesValue(R"({"equals-ignore-case":"alice"})", R"("alic")"));
}

TEST(EventPattern, KnowsWildcards) {
  const auto matches = [](const std::string& wildcard,
                          const std::string& text) {
    return MatchesValue(absl::StrCat(R"({"wildcard":")", wildcard, R"("})"),
                        absl::StrCat("\"", text, "\""));
  };
  EXPECT_TRUE(matches("dir/*.png", "dir/sub/a.png"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a--b--b--c"));
  EXPECT_FALSE(matches("a*b*c", "a--c--b"));
  EXPECT_FALSE(matches("a*a", "a"));
  EXPECT_TRUE(matches("a", "a"));
  EXPECT_FALSE(matches("a", "ab"));
  EXPECT_TRUE(matches(R"(a\\*b)", "a*b"));
  EXPECT_FALSE(matches(R"(a\\*b)", "axb"));
  EXPECT_THAT(ReasonAgainst(R"({"a":[{"wildcard":"a**"}]})"),
              HasSubstr("Consecutive"));
  EXPECT_THAT(ReasonAgainst(R"({"a":[{"wildcard":"\\x"}]})"),
              HasSubstr("escape"));
}

TEST(EventPattern, KnowsAnythingBut) {
  EXPECT_TRUE(MatchesValue(R"({"anything-but":"x"})", R"("y")"));
  EXPECT_FALSE(MatchesValue(R"({"anything-but":"x"})", R"("x")"));
  EXPECT_TRUE(MatchesValue(R"({"anything-but":5})", "6"));
  EXPECT_FALSE(MatchesValue(R"({"anything-but":[5,"x"]})", R"("x")"));
  EXPECT_TRUE(MatchesValue(R"({"anything-but":[5,"x"]})", R"("5")"));
  EXPECT_FALSE(MatchesValue(R"({"anything-but":{"prefix":"a"}})", R"("ab")"));
  EXPECT_TRUE(
      MatchesValue(R"({"anything-but":{"prefix":["a","b"]}})", R"("c")"));
  EXPECT_FALSE(
      MatchesValue(R"({"anything-but":{"suffix":["a","b"]}})", R"("cb")"));
  EXPECT_FALSE(MatchesValue(
      R"({"anything-but":{"equals-ignore-case":["a","b"]}})", R"("B")"));
  EXPECT_FALSE(MatchesValue(R"({"anything-but":{"wildcard":"*/lib/*"}})",
                            R"("/usr/lib/x")"));
  EXPECT_TRUE(MatchesValue(R"({"anything-but":{"wildcard":"*/lib/*"}})",
                           R"("/usr/bin/x")"));
  // There must be a value.
  EXPECT_FALSE(Matches(R"({"a":[{"anything-but":"x"}]})", "{}"));
}

TEST(EventPattern, KnowsNumbers) {
  EXPECT_TRUE(MatchesValue(R"({"numeric":["=",3.018e2]})", "301.8"));
  EXPECT_TRUE(MatchesValue(R"({"numeric":[">",0,"<=",5]})", "5"));
  EXPECT_FALSE(MatchesValue(R"({"numeric":[">",0,"<=",5]})", "0"));
  EXPECT_TRUE(MatchesValue(R"({"numeric":["<",10]})", "-1.5"));
  EXPECT_TRUE(MatchesValue(R"({"numeric":[">=",10]})", "10"));
  EXPECT_FALSE(MatchesValue(R"({"numeric":["<",10]})", R"("5")"));
}

TEST(EventPattern, KnowsWhetherAFieldExists) {
  const std::string present = R"({"detail":{"a":[{"exists":true}]}})";
  const std::string absent = R"({"detail":{"a":[{"exists":false}]}})";
  const auto check = [&](const std::string& event, bool exists) {
    EXPECT_EQ(Matches(present, event), exists) << event;
    EXPECT_EQ(Matches(absent, event), !exists) << event;
  };
  check(R"({"detail":{"a":1}})", true);
  check(R"({"detail":{"a":null}})", true);
  check(R"({"detail":{"b":1}})", false);
  check(R"({"detail":{}})", false);
  check("{}", false);
  // Only of leaves.
  check(R"({"detail":{"a":{"b":1}}})", false);
  check(R"({"detail":{"a":[]}})", false);
}

TEST(EventPattern, KnowsNetworks) {
  EXPECT_TRUE(MatchesValue(R"({"cidr":"10.0.0.0/24"})", R"("10.0.0.255")"));
  EXPECT_FALSE(MatchesValue(R"({"cidr":"10.0.0.0/24"})", R"("10.0.1.0")"));
  EXPECT_TRUE(MatchesValue(R"({"cidr":"10.0.0.128/25"})", R"("10.0.0.200")"));
  EXPECT_FALSE(MatchesValue(R"({"cidr":"10.0.0.128/25"})", R"("10.0.0.1")"));
  EXPECT_TRUE(MatchesValue(R"({"cidr":"0.0.0.0/0"})", R"("1.2.3.4")"));
  EXPECT_TRUE(MatchesValue(R"({"cidr":"2001:db8::/32"})", R"("2001:db8::1")"));
  EXPECT_FALSE(MatchesValue(R"({"cidr":"2001:db8::/32"})", R"("1.2.3.4")"));
  EXPECT_FALSE(MatchesValue(R"({"cidr":"10.0.0.0/24"})", R"("text")"));
}

TEST(EventPattern, KnowsAlternatives) {
  const std::string pattern =
      R"({"source":["s"],"detail":{"$or":[{"a":[1]},{"b":[2],"c":[3]}]}})";
  EXPECT_TRUE(Matches(pattern, R"({"source":"s","detail":{"a":1}})"));
  EXPECT_TRUE(Matches(pattern, R"({"source":"s","detail":{"b":2,"c":3}})"));
  EXPECT_FALSE(Matches(pattern, R"({"source":"s","detail":{"b":2}})"));
  EXPECT_FALSE(Matches(pattern, R"({"source":"x","detail":{"a":1}})"));
  EXPECT_TRUE(Matches(R"({"$or":[{"a":[1]},{"$or":[{"b":[1]},{"c":[1]}]}]})",
                      R"({"c":1})"));
}

TEST(EventPattern, RefusesWhatIsNotAPattern) {
  for (const char* pattern :
       {"",
        "{",
        "[]",
        "5",
        "{}",
        R"({"a":"x"})",
        R"({"a":5})",
        R"({"a":[]})",
        R"({"a":{}})",
        R"({"a":[[1]]})",
        R"({"a":[{}]})",
        R"({"a":[{"prefix":"a","suffix":"b"}]})",
        R"({"a":[{"other":1}]})",
        R"({"a":[{"prefix":5}]})",
        R"({"a":[{"exists":"yes"}]})",
        R"({"a":[{"anything-but":[]}]})",
        R"({"a":[{"anything-but":true}]})",
        R"({"a":[{"anything-but":{"cidr":"10.0.0.0/8"}}]})",
        R"({"a":[{"numeric":5}]})",
        R"({"a":[{"numeric":[]}]})",
        R"({"a":[{"numeric":["<"]}]})",
        R"({"a":[{"numeric":["~",5]}]})",
        R"({"a":[{"numeric":["<","5"]}]})",
        R"({"a":[{"numeric":["<",6e9]}]})",
        R"({"a":[{"numeric":["<",5,">",0]}]})",
        R"({"a":[{"numeric":[">",5,"<",5]}]})",
        R"({"a":[{"cidr":"10/8"}]})",
        R"({"a":[{"cidr":"10.0.0.0/33"}]})",
        R"({"a":[{"cidr":"10.0.0.0"}]})",
        R"({"$or":[{"a":[1]}]})",
        R"({"$or":{"a":[1]}})",
        R"({"$or":[1,2]})"}) {
    ReasonAgainst(pattern);
  }
  EXPECT_THAT(ReasonAgainst(R"({"a":[{"other":1}]})"),
              HasSubstr("Unrecognized match type other"));
  ReasonAgainst(
      absl::StrCat(R"({"a":[")", std::string(kMaxPatternBytes, 'x'), R"("]})"));
}

}  // namespace
}  // namespace byoshin::local::events
