#include "core/generation/text.h"

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

TEST(CountCharacters, CountsCharactersAndNotBytes) {
  EXPECT_EQ(CountCharacters(""), 0u);
  EXPECT_EQ(CountCharacters("abc"), 3u);
  EXPECT_EQ(CountCharacters("目標"), 2u);
  EXPECT_EQ(CountCharacters("🎯"), 1u);
  EXPECT_EQ(CountCharacters("\xFF\xFF"), 2u);
}

TEST(IsBlank, KnowsIdeographicSpaces) {
  EXPECT_TRUE(IsBlank(""));
  EXPECT_TRUE(IsBlank(" \t\n　"));
  EXPECT_FALSE(IsBlank("　目標　"));
}

TEST(HasControlCharacters, PermitsTabsAndLineBreaks) {
  EXPECT_FALSE(HasControlCharacters("a\tb\r\n目標"));
  EXPECT_TRUE(HasControlCharacters(absl::string_view("a\0b", 3)));
  EXPECT_TRUE(HasControlCharacters("\x7f"));
}

TEST(ParseUuid, ReturnsLowerCase) {
  EXPECT_EQ(ParseUuid("ABCDEF01-2345-4789-8abc-def012345678"),
            "abcdef01-2345-4789-8abc-def012345678");
}

TEST(ParseUuid, RefusesEverythingElse) {
  for (const char* text : {"", "abcdef01234547898abcdef012345678",
                           "{abcdef01-2345-4789-8abc-def012345678}",
                           "abcdef01-2345-4789-8abc-def01234567g",
                           "abcdef0-12345-4789-8abc-def012345678",
                           "abcdef01-2345-4789-8abc-def012345678 "}) {
    EXPECT_FALSE(ParseUuid(text).has_value()) << text;
  }
}

TEST(ParseMoment, ReadsADayAsAWhole) {
  const auto day = ParseMoment("2027-03-31");
  ASSERT_TRUE(day.has_value());
  EXPECT_EQ(day->end - day->begin, absl::Hours(24));
}

TEST(ParseMoment, ReadsAnInstant) {
  const auto instant = ParseMoment("1970-01-01T09:00:00+09:00");
  ASSERT_TRUE(instant.has_value());
  EXPECT_EQ(instant->begin, absl::UnixEpoch());
  EXPECT_FALSE(ParseMoment("2027-02-30").has_value());
  EXPECT_FALSE(ParseMoment("tomorrow").has_value());
}

}  // namespace
}  // namespace byoshin::generation
