#include "core/strings/wildcard.h"

#include <string>

#include "gtest/gtest.h"

namespace byoshin::strings {
namespace {

TEST(MatchesWildcards, TakesTheWholeText) {
  EXPECT_TRUE(MatchesWildcards("", ""));
  EXPECT_TRUE(MatchesWildcards("*", ""));
  EXPECT_TRUE(MatchesWildcards("a*c", "abbbc"));
  EXPECT_TRUE(MatchesWildcards("*a*b", "xaxaxb"));
  EXPECT_TRUE(MatchesWildcards("a?c", "abc"));
  EXPECT_FALSE(MatchesWildcards("a?c", "ac"));
  EXPECT_FALSE(MatchesWildcards("a*c", "abcd"));
  EXPECT_FALSE(MatchesWildcards("a", ""));
  EXPECT_FALSE(MatchesWildcards("*a*a*a*a*b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace byoshin::strings
