#include "local/appsync/script/time_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "local/appsync/script/time_offset.h"
#include "local/appsync/script/time_pattern.h"
#include "local/appsync/script/time_zone.h"

namespace byoshin::local::appsync::script {
namespace {

// The time to write.
struct Moment {
  absl::CivilSecond civil;
  int64_t nanoseconds = 0;
  int offset = 0;
  std::string abbreviation;
  std::string zone_id;
};

// Java has no abbreviations that are numbers, such as "-05".
std::string AbbreviationOf(const Zone& zone,
                           const absl::TimeZone::CivilInfo& info) {
  if (!zone.is_region) return zone.id;
  const absl::string_view abbreviation = info.zone_abbr;
  return absl::StartsWith(abbreviation, "+") ||
                 absl::StartsWith(abbreviation, "-")
             ? FormatGreenwichOffset(info.offset)
             : std::string(abbreviation);
}

std::string Padded(int64_t value, int width) {
  return absl::StrFormat("%0*d", width, value);
}

std::string NameOf(absl::string_view name, int count) {
  return std::string(name.substr(0, count == 4   ? name.size()
                                    : count == 5 ? 1
                                                 : kShortNameLength));
}

// A sign shows that a year has more digits than the pattern has letters.
std::string FormatYear(int64_t year, int count) {
  const std::string digits = absl::StrCat(std::abs(year));
  if (count == 2) return Padded(std::abs(year) % 100, 2);
  const auto width = static_cast<size_t>(count);
  const bool exceeds = count >= 4 && digits.size() > width;
  return absl::StrCat(year < 0 ? "-" : (exceeds ? "+" : ""),
                      std::string(width - std::min(width, digits.size()), '0'),
                      digits);
}

std::string FormatQuarter(int quarter, int count) {
  if (count == 3) return absl::StrCat("Q", quarter);
  if (count == 4) {
    return absl::StrCat(quarter,
                        kOrdinalEndings[static_cast<size_t>(quarter - 1)],
                        kQuarterEnding);
  }
  return Padded(quarter, count == 2 ? 2 : 1);
}

std::string FormatDateLetter(const TimePatternItem& item,
                             const Moment& moment) {
  const absl::CivilSecond& civil = moment.civil;
  switch (item.letter) {
    case 'G':
      return item.count == 4
                 ? (civil.year() > 0 ? "Anno Domini" : "Before Christ")
             : item.count == 5 ? (civil.year() > 0 ? "A" : "B")
                               : (civil.year() > 0 ? "AD" : "BC");
    case 'u':
      return FormatYear(civil.year(), item.count);
    case 'y':
      return FormatYear(civil.year() > 0 ? civil.year() : 1 - civil.year(),
                        item.count);
    case 'D':
      return Padded(absl::GetYearDay(absl::CivilDay(civil)), item.count);
    case 'M':
    case 'L':
      return item.count < 3
                 ? Padded(civil.month(), item.count)
                 : NameOf(kMonthNames[static_cast<size_t>(civil.month() - 1)],
                          item.count);
    case 'd':
      return Padded(civil.day(), item.count);
    case 'Q':
    case 'q':
      return FormatQuarter((civil.month() + 2) / 3, item.count);
    default: {  // E
      const auto day = static_cast<size_t>(absl::GetWeekday(civil));
      return NameOf(kDayNames[day], item.count);
    }
  }
}

std::string FormatTimeLetter(const TimePatternItem& item,
                             const Moment& moment) {
  const absl::CivilSecond& civil = moment.civil;
  const int64_t second_of_day = civil.hour() * int64_t{kSecondsPerHour} +
                                civil.minute() * int64_t{60} + civil.second();
  switch (item.letter) {
    case 'a':
      return civil.hour() < 12 ? "AM" : "PM";
    case 'h':
      return Padded((civil.hour() + 11) % 12 + 1, item.count);
    case 'K':
      return Padded(civil.hour() % 12, item.count);
    case 'k':
      return Padded((civil.hour() + 23) % 24 + 1, item.count);
    case 'H':
      return Padded(civil.hour(), item.count);
    case 'm':
      return Padded(civil.minute(), item.count);
    case 's':
      return Padded(civil.second(), item.count);
    case 'S':
      return Padded(moment.nanoseconds, 9)
          .substr(0, static_cast<size_t>(item.count));
    case 'A':
      return Padded(second_of_day * 1000 + moment.nanoseconds / 1'000'000,
                    item.count);
    case 'n':
      return Padded(moment.nanoseconds, item.count);
    default:  // N
      return Padded(second_of_day * 1'000'000'000 + moment.nanoseconds,
                    item.count);
  }
}

std::string FormatLetter(const TimePatternItem& item, const Moment& moment) {
  switch (item.letter) {
    case 'V':
      return moment.zone_id;
    case 'z':
      return moment.abbreviation;
    case 'O':
    case 'X':
    case 'x':
    case 'Z':
      return FormatOffset(item, moment.offset);
    default:
      return absl::StrContains("GuyDMLdQqE", item.letter)
                 ? FormatDateLetter(item, moment)
                 : FormatTimeLetter(item, moment);
  }
}

}  // namespace

absl::StatusOr<std::string> FormatJavaTime(absl::Time time,
                                           absl::string_view pattern,
                                           const Zone& zone) {
  const absl::StatusOr<std::vector<TimePatternItem>> items =
      ParseTimePattern(pattern);
  if (!items.ok()) return items.status();
  const absl::TimeZone::CivilInfo info = zone.rules.At(time);
  const Moment moment = {
      .civil = info.cs,
      .nanoseconds = absl::ToInt64Nanoseconds(info.subsecond),
      .offset = info.offset,
      .abbreviation = AbbreviationOf(zone, info),
      .zone_id = zone.id};
  std::string text;
  for (const TimePatternItem& item : *items) {
    if (item.kind == TimePatternItem::Kind::kLetter) {
      text += FormatLetter(item, moment);
    } else if (item.kind == TimePatternItem::Kind::kText) {
      text += item.text;
    }
  }
  return text;
}

}  // namespace byoshin::local::appsync::script
