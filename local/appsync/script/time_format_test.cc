#include "local/appsync/script/time_format.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/appsync/script/time_zone.h"

namespace byoshin::local::appsync::script {
namespace {

// Tuesday, 2018-02-06T19:01:35.758Z
constexpr int64_t kMilliseconds = 1'517'943'695'758;

std::string Formatted(absl::string_view pattern,
                      absl::string_view zone_name = "UTC",
                      int64_t milliseconds = kMilliseconds) {
  const absl::StatusOr<Zone> zone = FindZone(zone_name);
  if (!zone.ok()) return zone.status().ToString();
  const absl::StatusOr<std::string> text =
      FormatJavaTime(absl::FromUnixMillis(milliseconds), pattern, *zone);
  return text.ok() ? *text : "error";
}

int64_t Parsed(absl::string_view text, absl::string_view pattern,
               absl::string_view zone_name = "UTC") {
  const absl::StatusOr<absl::Time> time =
      ParseJavaTime(text, pattern, FindZone(zone_name).value());
  return time.ok() ? absl::ToUnixMillis(*time) : -1;
}

TEST(FormatJavaTime, WritesEveryLetter) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"yyyy-MM-dd HH:mm:ssZ", "2018-02-06 19:01:35+0000"},
      {"uuuu-MM-dd'T'HH:mm:ss.SSSX", "2018-02-06T19:01:35.758Z"},
      {"yy y yyyyy", "18 2018 02018"},
      {"M MM MMM MMMM MMMMM L", "2 02 Feb February F 2"},
      {"d dd D DDD", "6 06 37 037"},
      {"E EEE EEEE EEEEE", "Tue Tue Tuesday T"},
      {"a h hh K k", "PM 7 07 7 19"},
      {"S SS SSSSSS n A N", "7 75 758000 758000000 68495758 68495758000000"},
      {"G GGGG Q QQQ QQQQ q", "AD Anno Domini 1 Q1 1st quarter 1"},
      {"VV z O OOOO", "UTC UTC GMT GMT"},
      {"X XX XXX x xx xxx Z ZZZZ ZZZZZ", "Z Z Z +00 +0000 +00:00 +0000 GMT Z"},
      {"'o''clock' hh''mm", "o'clock 07'01"},
      {"yyyy[-MM[-dd]]", "2018-02-06"},
      {"yyyy年M月d日", "2018年2月6日"},
  };
  for (const auto& [pattern, text] : cases) {
    EXPECT_EQ(Formatted(pattern), text) << pattern;
  }
}

TEST(FormatJavaTime, KnowsZonesAndOffsets) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Australia/Perth", "2018-02-07 03:01:35+0800"},
      {"Asia/Tokyo", "2018-02-07 04:01:35+0900"},
      {"America/New_York", "2018-02-06 14:01:35-0500"},
      {"+09:30", "2018-02-07 04:31:35+0930"},
      {"UTC-8", "2018-02-06 11:01:35-0800"},
      {"GMT+0530", "2018-02-07 00:31:35+0530"},
      {"Z", "2018-02-06 19:01:35+0000"},
  };
  for (const auto& [zone, text] : cases) {
    EXPECT_EQ(Formatted("yyyy-MM-dd HH:mm:ssZ", zone), text) << zone;
  }
}

TEST(FormatJavaTime, WritesZonesAsJavaDoes) {
  // By zone, for the pattern "VV z O OOOO".
  const std::vector<std::pair<std::string, std::string>> zones = {
      {"Z", "Z Z GMT GMT"},
      {"UTC", "UTC UTC GMT GMT"},
      {"GMT", "GMT GMT GMT GMT"},
      {"UT", "UT UT GMT GMT"},
      {"+00:00", "Z Z GMT GMT"},
      {"UTC+0", "UTC UTC GMT GMT"},
      {"+09:00", "+09:00 +09:00 GMT+9 GMT+09:00"},
      {"+9", "+09:00 +09:00 GMT+9 GMT+09:00"},
      {"-03:30", "-03:30 -03:30 GMT-3:30 GMT-03:30"},
      {"-12:34:56", "-12:34:56 -12:34:56 GMT-12:34:56 GMT-12:34:56"},
      {"+00:00:10", "+00:00:10 +00:00:10 GMT+0:00:10 GMT+00:00:10"},
      {"UTC-8", "UTC-08:00 UTC-08:00 GMT-8 GMT-08:00"},
      {"GMT+0530", "GMT+05:30 GMT+05:30 GMT+5:30 GMT+05:30"},
      {"Asia/Tokyo", "Asia/Tokyo JST GMT+9 GMT+09:00"},
      {"America/New_York", "America/New_York EST GMT-5 GMT-05:00"},
      {"Etc/GMT+5", "Etc/GMT+5 GMT-05:00 GMT-5 GMT-05:00"},
  };
  for (const auto& [zone, text] : zones) {
    EXPECT_EQ(Formatted("VV z O OOOO", zone), text) << zone;
  }
}

TEST(FormatJavaTime, WritesOffsetsAsJavaDoes) {
  constexpr absl::string_view kPattern =
      "X XX XXX XXXX XXXXX x xx xxx xxxx xxxxx Z ZZZZ ZZZZZ";
  EXPECT_EQ(Formatted(kPattern, "-03:30"),
            "-0330 -0330 -03:30 -0330 -03:30 -0330 -0330 -03:30 -0330 -03:30 "
            "-0330 GMT-03:30 -03:30");
  EXPECT_EQ(Formatted(kPattern, "+09:00:30"),
            "+09 +0900 +09:00 +090030 +09:00:30 +09 +0900 +09:00 +090030 "
            "+09:00:30 +0900 GMT+09:00:30 +09:00:30");
  EXPECT_EQ(Formatted(kPattern, "+00:00:10"),
            "Z Z Z +000010 +00:00:10 +00 +0000 +00:00 +000010 +00:00:10 +0000 "
            "GMT+00:00:10 +00:00:10");
}

TEST(FormatJavaTime, WritesSignsOfYears) {
  // 31 December of the year 2 before Christ.
  constexpr int64_t kBefore = -62'167'219'200'000 - 86'400'000;
  constexpr int64_t kAfter = 253'402'300'800'000;
  EXPECT_EQ(Formatted("u uu uuuu y yyyy G", "UTC", kBefore),
            "-1 01 -0001 2 0002 BC");
  EXPECT_EQ(Formatted("u uu uuuu uuuuu uuuuuu yyyy", "UTC", kAfter),
            "10000 00 +10000 10000 010000 +10000");
}

TEST(FindZone, RefusesWhatIsNotAZone) {
  for (const absl::string_view name :
       {"", "Mars/Base", "/etc/passwd", "../zoneinfo/UTC", "Asia", "+25:00",
        "+09:75", "UTC+", "Asia/Tokyo\n", "+1:2:3:4"}) {
    EXPECT_EQ(FindZone(name).status().code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
}

TEST(FormatJavaTime, RefusesPatternsThatItDoesNotKnow) {
  for (const absl::string_view pattern :
       {"YYYY", "ww", "e", "pp", "zzzz", "HHH", "V", "'open", "]", "{", "j",
        "OO", "SSSSSSSSSS"}) {
    EXPECT_EQ(Formatted(pattern), "error") << pattern;
  }
  EXPECT_EQ(Formatted(std::string(201, '-')), "error");
}

TEST(ParseJavaTime, ReadsWhatItWrites) {
  for (const absl::string_view pattern :
       {"yyyy-MM-dd HH:mm:ss.SSSZ", "uuuu-MM-dd'T'HH:mm:ss.SSSXXX",
        "d MMM uuuu hh:mm:ss.SSS a X", "EEEE, MMMM d, yyyy K:m:s.SSS a XX",
        "yyyyMMddHHmmssSSSx", "uuuu-DDD A VV", "yy/M/d k:mm:ss n z",
        "G yyyy MM dd N ZZZZZ", "yyyy-MM-dd HH:mm:ss.SSS O",
        "GGGG yyyy QQQQ MMMMM dd A OOOO", "GGGGG y QQQ q M d EEE A ZZZZ",
        "uuuuuu-MM-dd HH:mm:ss.SSS XXXXX", "yDDDHHmmssSSS xxxx"}) {
    for (const absl::string_view zone :
         {"UTC", "Z", "+09:00", "-03:30", "UTC-8", "GMT+0530", "Etc/GMT+5"}) {
      const std::string text = Formatted(pattern, zone);
      EXPECT_EQ(Parsed(text, pattern, "Asia/Tokyo"), kMilliseconds)
          << pattern << " " << text;
    }
  }
}

TEST(ParseJavaTime, ReadsZonesInTheFormOfTheLetter) {
  const std::vector<absl::string_view> texts = {
      "Z",      "+00",       "+0000",      "+00:00",       "-00:00",
      "+09",    "+0900",     "+09:00",     "+090030",      "+09:00:30",
      "-0330",  "-03:30",    "GMT",        "GMT+9",        "GMT-3:30",
      "GMT+10", "GMT+09:00", "GMT-03:30",  "UTC",          "UTC+09:00",
      "UTC+9",  "+9",        "+9:00",      "+24:00",       "+19:00",
      "+09:60", "Asia/Toky", "Asia/Tokyo", "GMT-03:30:10", "Etc/UTC",
      "GMT0",   "UT",        "+0030"};
  // As DateTimeFormatter of OpenJDK 17 does.
  const std::vector<std::pair<std::string, std::vector<absl::string_view>>>
      accepted = {
          {"X", {"Z", "+00", "+0000", "+09", "+0900", "-0330", "+0030"}},
          {"XX", {"Z", "+0000", "+0900", "-0330", "+0030"}},
          {"XXX", {"Z", "+00:00", "-00:00", "+09:00", "-03:30"}},
          {"XXXX", {"Z", "+0000", "+0900", "+090030", "-0330", "+0030"}},
          {"XXXXX", {"Z", "+00:00", "-00:00", "+09:00", "+09:00:30", "-03:30"}},
          {"x", {"+00", "+09", "+0900", "-0330"}},
          {"xx", {"+0000", "+0900", "-0330", "+0030"}},
          {"xxx", {"+00:00", "-00:00", "+09:00", "-03:30"}},
          {"xxxx", {"+0000", "+0900", "+090030", "-0330", "+0030"}},
          {"xxxxx", {"+00:00", "-00:00", "+09:00", "+09:00:30", "-03:30"}},
          {"Z", {"+0000", "+0900", "-0330", "+0030"}},
          {"ZZZZ", {"GMT", "GMT+09:00", "GMT-03:30", "GMT-03:30:10"}},
          {"ZZZZZ", {"Z", "+00:00", "-00:00", "+09:00", "+09:00:30", "-03:30"}},
          {"O",
           {"GMT", "GMT+9", "GMT-3:30", "GMT+10", "GMT+09:00", "GMT-03:30",
            "GMT-03:30:10"}},
          {"OOOO", {"GMT", "GMT+09:00", "GMT-03:30", "GMT-03:30:10"}},
          {"VV",
           {"Z", "+00:00", "-00:00", "+09:00", "+09:00:30", "-03:30", "GMT",
            "GMT+09:00", "GMT-03:30", "UTC", "UTC+09:00", "Asia/Tokyo",
            "GMT-03:30:10", "Etc/UTC", "GMT0", "UT"}},
          {"z",
           {"Z", "+00:00", "-00:00", "+09:00", "+09:00:30", "-03:30", "GMT",
            "GMT+09:00", "GMT-03:30", "UTC", "UTC+09:00", "Asia/Tokyo",
            "GMT-03:30:10", "Etc/UTC", "GMT0", "UT"}},
      };
  for (const auto& [letters, expected] : accepted) {
    std::vector<absl::string_view> read;
    for (const absl::string_view text : texts) {
      if (Parsed(absl::StrCat("2020-01-01T00:00", text),
                 absl::StrCat("uuuu-MM-dd'T'HH:mm", letters)) != -1) {
        read.push_back(text);
      }
    }
    EXPECT_EQ(read, expected) << letters;
  }
}

TEST(ParseJavaTime, DoesNotReadLongTexts) {
  const std::string zone(300'000, 'a');
  for (const absl::string_view letter : {"VV", "z", "O", "XXX", "x", "Z"}) {
    EXPECT_EQ(Parsed(absl::StrCat("2020-01-01T00:00", zone),
                     absl::StrCat("uuuu-MM-dd'T'HH:mm", letter)),
              -1)
        << letter;
  }
  EXPECT_EQ(Parsed(std::string(300'000, '1'), "uuuuMMddHHmmss"), -1);
}

TEST(LongestZoneName, AsksForFewNames) {
  int asked = 0;
  const std::string text(300'000, 'a');
  EXPECT_EQ(LongestZoneName(text,
                            [&](absl::string_view) {
                              ++asked;
                              return false;
                            }),
            "");
  EXPECT_EQ(asked, kMaxZoneNameBytes);
  EXPECT_EQ(LongestZoneName("GMT0 and more",
                            [](absl::string_view name) {
                              return name == "GMT" || name == "GMT0" ||
                                     name == "GMT0 and";
                            }),
            "GMT0");
}

TEST(ParseJavaTime, UsesTheZoneOfTheText) {
  EXPECT_EQ(Parsed("2018-02-01 17:21:05.180+0800", "yyyy-MM-dd HH:mm:ss.SSSZ"),
            1'517'476'865'180);
  EXPECT_EQ(Parsed("2018-02-01 17:21:05.180", "yyyy-MM-dd HH:mm:ss.SSS",
                   "Asia/Singapore"),
            1'517'476'865'180);
  EXPECT_EQ(Parsed("2018-02-01 Asia/Singapore", "yyyy-MM-dd VV"),
            1'517'414'400'000);
  // The offset decides.
  EXPECT_EQ(Parsed("2018-02-01 Asia/Singapore +00:00", "yyyy-MM-dd VV XXX"),
            1'517'443'200'000);
}

TEST(ParseJavaTime, ResolvesAsJavaDoes) {
  EXPECT_EQ(Parsed("2018-02-31", "uuuu-MM-dd"), 1'519'776'000'000);
  EXPECT_EQ(Parsed("2018-02-06 24:00", "uuuu-MM-dd HH:mm"), 1'517'961'600'000);
  EXPECT_EQ(Parsed("2018-02-06 00:00", "uuuu-MM-dd kk:mm"), 1'517'875'200'000);
  EXPECT_EQ(Parsed("-0001-12-31 BC", "uuuu-MM-dd G"),
            Parsed("0002-12-31 BC", "yyyy-MM-dd G"));
  EXPECT_EQ(Parsed("+10000-01-01", "yyyy-MM-dd"), 253'402'300'800'000);
  // Numbers of a fixed width take their digits from those before.
  EXPECT_EQ(Parsed("20180206", "yMMdd"), 1'517'875'200'000);
}

TEST(ParseJavaTime, TakesWhatIsMissingFromTheBeginning) {
  EXPECT_EQ(Parsed("2018-02-06", "yyyy-MM-dd"), 1'517'875'200'000);
  EXPECT_EQ(Parsed("2018", "yyyy"), 1'514'764'800'000);
  EXPECT_EQ(Parsed("2018-02", "yyyy-MM[-dd]"), 1'517'443'200'000);
  EXPECT_EQ(Parsed("2018-02-06", "yyyy-MM[-dd]"), 1'517'875'200'000);
}

TEST(ParseJavaTime, RefusesWhatDoesNotMatch) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"2018-02-32", "yyyy-MM-dd"},
      {"2018-13-01", "yyyy-MM-dd"},
      {"2018-02-06x", "yyyy-MM-dd"},
      {"18-02-06", "yyyy-MM-dd"},
      {"2018-2-06", "yyyy-MM-dd"},
      {"2018-02-06 25", "yyyy-MM-dd HH"},
      {"2018-02-06 24:01", "yyyy-MM-dd HH:mm"},
      {"02-06", "MM-dd"},
      {"", "yyyy"},
      {"2018-366", "yyyy-DDD"},
      {"2018 Foo", "yyyy MMM"},
      {"2018-02-06 XM", "yyyy-MM-dd a"},
      {"0000-02-06", "yyyy-MM-dd"},
      {"10000-01-01", "yyyy-MM-dd"},
      {"+2018-01-01", "yyyy-MM-dd"},
      // Too few digits for numbers that follow each other.
      {"12", "uuuuMMdd"},
      {"12", "uuuuuuuuuuuuuuuuuuuMMdd"},
      {"20  0206", "uuuuMMdd"},
      {"--1230101", "uuuuMMdd"},
      // Contradictions.
      {"Wed 2018-02-06", "E yyyy-MM-dd"},
      {"Q2 2018-02-06", "QQQ yyyy-MM-dd"},
      {"2018-02-06 038", "yyyy-MM-dd DDD"},
      {"2018-02-06 07", "yyyy-MM-dd dd"},
      {"2018-02-06 13 AM", "yyyy-MM-dd HH a"},
      {"2018-02-06 +00:00 +0900", "yyyy-MM-dd XXX Z"},
  };
  for (const auto& [text, pattern] : cases) {
    EXPECT_EQ(Parsed(text, pattern), -1) << text << " " << pattern;
  }
}

}  // namespace
}  // namespace byoshin::local::appsync::script
