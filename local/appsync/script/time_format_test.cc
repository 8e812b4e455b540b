#include "local/appsync/script/time_format.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::local::appsync::script {
namespace {

// Tuesday, 2018-02-06T19:01:35.758Z
constexpr int64_t kMilliseconds = 1'517'943'695'758;

std::string Formatted(absl::string_view pattern,
                      absl::string_view zone_name = "UTC") {
  const absl::StatusOr<absl::TimeZone> zone = FindZone(zone_name);
  if (!zone.ok()) return zone.status().ToString();
  const absl::StatusOr<std::string> text =
      FormatJavaTime(absl::FromUnixMillis(kMilliseconds), pattern, *zone);
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
  EXPECT_EQ(Formatted("X XX XXX x O OOOO z", "-03:30"),
            "-0330 -0330 -03:30 -0330 GMT-3:30 GMT-03:30 -0330");
  EXPECT_EQ(Formatted("z VV", "Asia/Tokyo"), "JST Asia/Tokyo");
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
        "G yyyy MM dd N ZZZZZ", "yyyy-MM-dd HH:mm:ss.SSS O"}) {
    EXPECT_EQ(Parsed(Formatted(pattern), pattern, "Asia/Tokyo"), kMilliseconds)
        << pattern;
  }
}

TEST(ParseJavaTime, UsesTheZoneOfTheText) {
  EXPECT_EQ(Parsed("2018-02-01 17:21:05.180+0800", "yyyy-MM-dd HH:mm:ss.SSSZ"),
            1'517'476'865'180);
  EXPECT_EQ(Parsed("2018-02-01 17:21:05.180", "yyyy-MM-dd HH:mm:ss.SSS",
                   "Asia/Singapore"),
            1'517'476'865'180);
  EXPECT_EQ(Parsed("2018-02-01 Asia/Singapore", "yyyy-MM-dd VV"),
            1'517'414'400'000);
}

TEST(ParseJavaTime, TakesWhatIsMissingFromTheBeginning) {
  EXPECT_EQ(Parsed("2018-02-06", "yyyy-MM-dd"), 1'517'875'200'000);
  EXPECT_EQ(Parsed("2018", "yyyy"), 1'514'764'800'000);
  EXPECT_EQ(Parsed("2018-02", "yyyy-MM[-dd]"), 1'517'443'200'000);
  EXPECT_EQ(Parsed("2018-02-06", "yyyy-MM[-dd]"), 1'517'875'200'000);
}

TEST(ParseJavaTime, RefusesWhatDoesNotMatch) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"2018-02-30", "yyyy-MM-dd"},
      {"2018-13-01", "yyyy-MM-dd"},
      {"2018-02-06x", "yyyy-MM-dd"},
      {"18-02-06", "yyyy-MM-dd"},
      {"2018-2-06", "yyyy-MM-dd"},
      {"2018-02-06 24", "yyyy-MM-dd HH"},
      {"02-06", "MM-dd"},
      {"", "yyyy"},
      {"2018-366", "yyyy-DDD"},
      {"2018 Foo", "yyyy MMM"},
      {"2018-02-06 XM", "yyyy-MM-dd a"},
  };
  for (const auto& [text, pattern] : cases) {
    EXPECT_EQ(Parsed(text, pattern), -1) << text << " " << pattern;
  }
}

}  // namespace
}  // namespace byoshin::local::appsync::script
