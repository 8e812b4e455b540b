#include "core/time/iso8601.h"

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/time/utc.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::time {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The parsed time, or a failure that shows why there is none.
absl::Time MustParse(absl::string_view text) {
  const absl::StatusOr<absl::Time> time = ParseIso8601(text);
  EXPECT_TRUE(time.ok()) << time.status();
  return time.value_or(absl::InfinitePast());
}

std::string ParseError(absl::string_view text) {
  const absl::StatusOr<absl::Time> time = ParseIso8601(text);
  if (time.ok()) {
    ADD_FAILURE() << '"' << text << "\" was read as " << *time;
    return "";
  }
  EXPECT_EQ(time.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(time.status().message());
}

TEST(ParseIso8601, ReadsUtc) {
  EXPECT_EQ(MustParse("2025-12-02T10:23:05Z"),
            Utc(absl::CivilSecond(2025, 12, 2, 10, 23, 5)));
}

TEST(ParseIso8601, SubtractsAnOffsetAheadOfUtc) {
  EXPECT_EQ(MustParse("2025-12-02T19:23:05+09:00"),
            Utc(absl::CivilSecond(2025, 12, 2, 10, 23, 5)));
}

TEST(ParseIso8601, AddsAnOffsetBehindUtc) {
  EXPECT_EQ(MustParse("2025-12-31T20:30:00-03:30"),
            Utc(absl::CivilSecond(2026, 1, 1, 0, 0, 0)));
}

TEST(ParseIso8601, TakesZeroOffsetsOfEitherSignForUtc) {
  EXPECT_EQ(MustParse("2025-12-02T10:23:05+00:00"),
            MustParse("2025-12-02T10:23:05Z"));
  EXPECT_EQ(MustParse("2025-12-02T10:23:05-00:00"),
            MustParse("2025-12-02T10:23:05Z"));
}

TEST(ParseIso8601, ReadsOffsetsUpToAMinuteShortOfADay) {
  EXPECT_EQ(MustParse("2025-12-02T23:59:00+23:59"),
            Utc(absl::CivilSecond(2025, 12, 2)));
  EXPECT_EQ(MustParse("2025-12-02T00:01:00-23:59"),
            Utc(absl::CivilSecond(2025, 12, 3)));
}

TEST(ParseIso8601, ReadsFractionsDownToTheNanosecond) {
  const absl::Time second = MustParse("2025-12-02T10:23:05Z");
  EXPECT_EQ(MustParse("2025-12-02T10:23:05.5Z"),
            second + absl::Milliseconds(500));
  EXPECT_EQ(MustParse("2025-12-02T10:23:05.050Z"),
            second + absl::Milliseconds(50));
  EXPECT_EQ(MustParse("2025-12-02T10:23:05.123456789Z"),
            second + absl::Nanoseconds(123456789));
  EXPECT_EQ(MustParse("2025-12-02T10:23:05.000000001+00:00"),
            second + absl::Nanoseconds(1));
  EXPECT_EQ(MustParse("2025-12-02T10:23:05.0Z"), second);
}

TEST(ParseIso8601, CountsAFractionForwardsBefore1970) {
  EXPECT_EQ(MustParse("1969-12-31T23:59:59.750Z"),
            absl::UnixEpoch() - absl::Milliseconds(250));
}

TEST(ParseIso8601, KnowsLeapYears) {
  EXPECT_EQ(MustParse("2024-02-29T00:00:00Z"),
            Utc(absl::CivilSecond(2024, 2, 29)));
  EXPECT_EQ(MustParse("2000-02-29T00:00:00Z"),
            Utc(absl::CivilSecond(2000, 2, 29)));
  for (const char* text : {"2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
                           "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z"}) {
    EXPECT_THAT(ParseError(text), HasSubstr("there is no day")) << text;
  }
}

TEST(ParseIso8601, RefusesDaysTheMonthDoesNotHave) {
  for (const char* month : {"04", "06", "09", "11"}) {
    const std::string text = std::string("2025-") + month + "-31T00:00:00Z";
    EXPECT_THAT(ParseError(text),
                HasSubstr(std::string("no day 31 in 2025-") + month));
  }
}

TEST(ParseIso8601, RefusesNumbersOutOfRange) {
  EXPECT_THAT(ParseError("2025-00-02T10:23:05Z"),
              HasSubstr("month 00 is not within 1 to 12 at column 6"));
  EXPECT_THAT(ParseError("2025-13-02T10:23:05Z"),
              HasSubstr("month 13 is not within 1 to 12 at column 6"));
  EXPECT_THAT(ParseError("2025-12-00T10:23:05Z"),
              HasSubstr("day 00 is not within 1 to 31 at column 9"));
  EXPECT_THAT(ParseError("2025-12-32T10:23:05Z"),
              HasSubstr("day 32 is not within 1 to 31 at column 9"));
  EXPECT_THAT(ParseError("2025-12-02T24:00:00Z"),
              HasSubstr("hour 24 is not within 0 to 23 at column 12"));
  EXPECT_THAT(ParseError("2025-12-02T10:60:05Z"),
              HasSubstr("minute 60 is not within 0 to 59 at column 15"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:60Z"),
              HasSubstr("second 60 is not within 0 to 59 at column 18"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05+24:00"),
              HasSubstr("offset hour 24 is not within 0 to 23 at column 21"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05-09:60"),
              HasSubstr("offset minute 60 is not within 0 to 59 at column 24"));
}

TEST(ParseIso8601, RefusesLeapSecondsEvenWhereThereWasOne) {
  EXPECT_THAT(ParseError("2016-12-31T23:59:60Z"), HasSubstr("second 60"));
}

TEST(ParseIso8601, ReadsTheFirstAndTheLastInstantOfItsYears) {
  EXPECT_EQ(MustParse("0001-01-01T00:00:00Z"), Utc(absl::CivilSecond(1)));
  EXPECT_EQ(MustParse("9999-12-31T23:59:59.999999999Z"),
            Utc(absl::CivilSecond(10000)) - absl::Nanoseconds(1));
}

TEST(ParseIso8601, RefusesYearsOutsideItsRange) {
  EXPECT_THAT(ParseError("0000-12-31T23:59:59Z"),
              HasSubstr("year 0000 is not within 1 to 9999 at column 1"));
  EXPECT_THAT(ParseError("10000-01-01T00:00:00Z"),
              HasSubstr("expected '-' at column 5"));
  EXPECT_THAT(ParseError("+010000-01-01T00:00:00Z"),
              HasSubstr("expected a digit at column 1"));
  EXPECT_THAT(ParseError("-0001-01-01T00:00:00Z"),
              HasSubstr("expected a digit at column 1"));
}

TEST(ParseIso8601, RefusesOffsetsThatLeadOutOfItsYears) {
  EXPECT_THAT(ParseError("0001-01-01T00:00:00+00:01"),
              HasSubstr("leads out of the years 0001 to 9999 at column 20"));
  EXPECT_THAT(ParseError("9999-12-31T23:59:59.5-00:01"),
              HasSubstr("leads out of the years 0001 to 9999 at column 22"));
  EXPECT_EQ(MustParse("0001-01-01T00:01:00+00:01"), Utc(absl::CivilSecond(1)));
  EXPECT_EQ(MustParse("9999-12-31T23:58:59-00:01"),
            Utc(absl::CivilSecond(9999, 12, 31, 23, 59, 59)));
}

TEST(ParseIso8601, RefusesMalformedFractions) {
  EXPECT_THAT(ParseError("2025-12-02T10:23:05.Z"),
              HasSubstr("the fraction has no digits at column 21"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05.1234567890Z"),
              HasSubstr("the fraction has more than 9 digits at column 30"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05,5Z"),
              HasSubstr("expected Z, + or - at column 20"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05.5.5Z"),
              HasSubstr("expected Z, + or - at column 22"));
}

TEST(ParseIso8601, RefusesMalformedOffsets) {
  EXPECT_THAT(ParseError("2025-12-02T10:23:05"),
              HasSubstr("the offset from UTC is missing at column 20"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05+"),
              HasSubstr("the text ends too early at column 21"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05+09"),
              HasSubstr("the text ends too early at column 23"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05+0900"),
              HasSubstr("expected ':' at column 23"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05+9:00"),
              HasSubstr("expected a digit at column 22"));
  EXPECT_THAT(ParseError("2025-12-02T10:23:05 +09:00"),
              HasSubstr("expected Z, + or - at column 20"));
}

TEST(ParseIso8601, RefusesWhatOtherParsersForgive) {
  const std::vector<std::string> texts = {
      "2025-12-02t10:23:05Z",        // lower-case t
      "2025-12-02T10:23:05z",        // lower-case z
      "2025-12-02 10:23:05Z",        // space for T
      " 2025-12-02T10:23:05Z",       // leading space
      "2025-12-02T10:23:05Z ",       // trailing space
      "2025-12-02T10:23:05Z\n",      // trailing line feed
      "2025-12-02T10:23:05ZZ",       // trailing garbage
      "2025-12-02T10:23:05Z+00:00",  // two zones
      "20251202T102305Z",            // basic format
      "2025-12-2T10:23:05Z",         // one-digit day
      "2025-12-02T1:23:05Z",         // one-digit hour
      "2025-12-02T10:23Z",           // no seconds
      "2025-12-02",                  // no time
      "2025-W49-2T10:23:05Z",        // week date
      "2025-336T10:23:05Z",          // ordinal date
      "2025-12-02T+1:23:05Z",        // sign inside a number
      "2025-12-02T10:23:05UTC",      // named zone
      "1764670985",                  // Unix time
      "infinite-future",             // absl's own
      "",
  };
  for (const std::string& text : texts) {
    EXPECT_FALSE(ParseIso8601(text).ok()) << '"' << text << '"';
  }
}

TEST(ParseIso8601, RefusesEveryProperPrefixOfAValidText) {
  // Short enough fractions and nothing but Z make no prefix valid by itself.
  const std::string text = "2025-12-02T10:23:05.25Z";
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(ParseIso8601(text.substr(0, length)).ok()) << length;
  }
  EXPECT_TRUE(ParseIso8601(text).ok());
}

TEST(ParseIso8601, RefusesEveryOtherByteAtEveryPosition) {
  const std::string valid = "2025-12-02T10:23:05Z";
  for (size_t at = 0; at < valid.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = valid;
      text[at] = static_cast<char>(byte);
      const bool both_digits = std::isdigit(byte) && std::isdigit(valid[at]);
      if (both_digits || text == valid) continue;
      EXPECT_FALSE(ParseIso8601(text).ok()) << "byte " << byte << " at " << at;
    }
  }
}

TEST(ParseIso8601, NamesTheInputTheProblemThePlaceAndTheExpectedForm) {
  EXPECT_EQ(
      ParseError("2025-02-29T10:23:05Z"),
      "invalid ISO 8601 time \"2025-02-29T10:23:05Z\": there is no day 29 "
      "in 2025-02 at column 9; expected YYYY-MM-DDTHH:MM:SS[.fraction] "
      "followed by Z, +HH:MM or -HH:MM");
}

TEST(ParseIso8601, EscapesBytesThatDoNotPrintInErrors) {
  const std::string text("2025\0\x1b[31m\"\xff", 12);
  EXPECT_THAT(ParseError(text),
              HasSubstr("\"2025\\x00\\x1b[31m\\\"\\xff\": expected '-'"));
}

TEST(ParseIso8601, CutsLongInputInErrors) {
  const std::string text(100000, '7');
  const std::string error = ParseError(text);
  EXPECT_THAT(error, AllOf(HasSubstr("7\"... (100000 bytes)"),
                           HasSubstr("expected '-' at column 5")));
  EXPECT_LT(error.size(), 300u);
}

TEST(FormatIso8601, WritesSecondsInUtc) {
  EXPECT_EQ(FormatIso8601(Utc(absl::CivilSecond(2025, 12, 2, 10, 23, 5))),
            "2025-12-02T10:23:05Z");
  EXPECT_EQ(FormatIso8601(absl::UnixEpoch()), "1970-01-01T00:00:00Z");
}

TEST(FormatIso8601, PadsEveryNumberWithZeros) {
  EXPECT_EQ(FormatIso8601(Utc(absl::CivilSecond(12, 3, 4, 5, 6, 7))),
            "0012-03-04T05:06:07Z");
}

TEST(FormatIso8601, DropsAFractionTowardsThePast) {
  const absl::Time second = Utc(absl::CivilSecond(2025, 12, 2, 10, 23, 5));
  EXPECT_EQ(FormatIso8601(second + absl::Nanoseconds(999999999)),
            "2025-12-02T10:23:05Z");
  EXPECT_EQ(FormatIso8601(absl::UnixEpoch() - absl::Nanoseconds(1)),
            "1969-12-31T23:59:59Z");
}

TEST(FormatIso8601, WritesWhatTheParserReadsAtBothEndsOfItsYears) {
  for (const absl::Time time :
       {Utc(absl::CivilSecond(1)), Utc(absl::CivilSecond(1, 1, 1, 0, 0, 1)),
        Utc(absl::CivilSecond(9999, 12, 31, 23, 59, 59))}) {
    EXPECT_TRUE(FitsIso8601(time));
    EXPECT_EQ(MustParse(FormatIso8601(time)), time);
  }
}

TEST(FormatIso8601, WritesTimesOutsideItsYearsSoThatTheParserRefusesThem) {
  const struct {
    absl::Time time;
    const char* text;
  } cases[] = {
      {Utc(absl::CivilSecond(10000)), "+010000-01-01T00:00:00Z"},
      {Utc(absl::CivilSecond(1)) - absl::Nanoseconds(1),
       "+000000-12-31T23:59:59Z"},
      {Utc(absl::CivilSecond(-44, 3, 15)), "-000044-03-15T00:00:00Z"},
      {Utc(absl::CivilSecond(1234567)), "+1234567-01-01T00:00:00Z"},
      {absl::InfiniteFuture(), "infinite-future"},
      {absl::InfinitePast(), "infinite-past"},
  };
  for (const auto& [time, text] : cases) {
    EXPECT_FALSE(FitsIso8601(time)) << text;
    EXPECT_EQ(FormatIso8601(time), text);
    EXPECT_FALSE(ParseIso8601(text).ok()) << text;
  }
}

TEST(FormatIso8601, CopesWithTheLastFiniteTimes) {
  const absl::Time last = absl::FromUnixSeconds(INT64_MAX);
  const absl::Time first = absl::FromUnixSeconds(INT64_MIN);
  EXPECT_TRUE(absl::StartsWith(FormatIso8601(last), "+2922770"))
      << FormatIso8601(last);
  EXPECT_TRUE(absl::StartsWith(FormatIso8601(first), "-2922770"))
      << FormatIso8601(first);
}

}  // namespace
}  // namespace byoshin::time
