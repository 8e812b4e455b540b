#include "local/cloudformation/allowed_pattern.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace byoshin::local::cloudformation {
namespace {

bool Matches(const std::string& expression, const std::string& text) {
  const absl::StatusOr<bool> matches = MatchesAllowedPattern(expression, text);
  EXPECT_TRUE(matches.ok()) << expression << ": " << matches.status();
  return matches.value_or(false);
}

TEST(AllowedPattern, WantsTheWholeText) {
  EXPECT_TRUE(Matches("abc", "abc"));
  EXPECT_FALSE(Matches("abc", "abcd"));
  EXPECT_FALSE(Matches("abc", "xabc"));
  EXPECT_TRUE(Matches("", ""));
  EXPECT_FALSE(Matches("", "a"));
  EXPECT_TRUE(Matches("^abc$", "abc"));
  EXPECT_FALSE(Matches("a^b", "ab"));
  EXPECT_FALSE(Matches("a$b", "ab"));
}

TEST(AllowedPattern, Repeats) {
  EXPECT_TRUE(Matches("a*b+c?", "b"));
  EXPECT_TRUE(Matches("a*b+c?", "aabbc"));
  EXPECT_FALSE(Matches("a*b+c?", "aac"));
  EXPECT_FALSE(Matches("a*b+c?", "bcc"));
  EXPECT_TRUE(Matches("a{2}", "aa"));
  EXPECT_FALSE(Matches("a{2}", "aaa"));
  EXPECT_TRUE(Matches("a{2,}", "aaaa"));
  EXPECT_FALSE(Matches("a{2,}", "a"));
  EXPECT_TRUE(Matches("a{1,3}", "aaa"));
  EXPECT_FALSE(Matches("a{1,3}", "aaaa"));
  EXPECT_TRUE(Matches("a{0}b", "b"));
  EXPECT_TRUE(Matches("(a|b)*", "abba"));
  EXPECT_TRUE(Matches("(a*)*", "aaa"));
}

TEST(AllowedPattern, ChoosesBetweenAlternatives) {
  EXPECT_TRUE(Matches("^(0|5|[1-9][0-9]{0,2}[05])$", "0"));
  EXPECT_TRUE(Matches("^(0|5|[1-9][0-9]{0,2}[05])$", "9995"));
  EXPECT_FALSE(Matches("^(0|5|[1-9][0-9]{0,2}[05])$", "7"));
  EXPECT_FALSE(Matches("^(0|5|[1-9][0-9]{0,2}[05])$", "05"));
  EXPECT_TRUE(Matches("a|(?:bc|)d", "d"));
}

TEST(AllowedPattern, KnowsClasses) {
  EXPECT_TRUE(Matches("^(https?://[^\\s?#@]+)?$", "https://example.com/x"));
  EXPECT_TRUE(Matches("^(https?://[^\\s?#@]+)?$", ""));
  EXPECT_FALSE(Matches("^(https?://[^\\s?#@]+)?$", "https://a b"));
  EXPECT_FALSE(Matches("^(https?://[^\\s?#@]+)?$", "ftp://a"));
  EXPECT_TRUE(Matches("[a.-]+", "a.-"));
  EXPECT_TRUE(Matches("[\\]\\\\]+", "]\\"));
  EXPECT_TRUE(Matches("\\d\\w\\s\\.", "1_ ."));
  EXPECT_FALSE(Matches("\\D", "1"));
  EXPECT_FALSE(Matches(".", "\n"));
  EXPECT_TRUE(Matches("^([A-Za-z0-9!_.*'()-]+/)*$", "a/b(1)/"));
  EXPECT_FALSE(Matches("^([A-Za-z0-9!_.*'()-]+/)*$", "a//"));
}

TEST(AllowedPattern, RefusesWhatItDoesNotKnow) {
  for (const char* expression :
       {"(", ")", "a)", "[", "[a", "*", "a**", "a{2,1}", "a{9999}", "(?=a)",
        "\\", "[z-a]", "[[a]]", "[a&&b]", "\\1"}) {
    const absl::Status refused = MatchesAllowedPattern(expression, "").status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument) << expression;
    EXPECT_TRUE(absl::StartsWith(refused.message(), "regular expression: "))
        << refused;
  }
  EXPECT_FALSE(MatchesAllowedPattern(std::string(5000, '('), "").ok());
  EXPECT_FALSE(MatchesAllowedPattern("((a{1000}){1000}){1000}", "").ok());
}

// A backtracking matcher would need longer than the universe has existed.
TEST(AllowedPattern, TakesLinearTimeWhateverThePattern) {
  EXPECT_FALSE(Matches("(a|a)*(a|a)*b", std::string(5000, 'a')));
  EXPECT_FALSE(Matches("(((a*)*)*)*b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace byoshin::local::cloudformation
