#include "local/appsync/script/time_format.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "local/appsync/script/time_pattern.h"

namespace byoshin::local::appsync::script {
namespace {

constexpr int kSecondsPerHour = 3600;
constexpr int kMaxOffsetSeconds = 18 * kSecondsPerHour;

// The time to write.
struct Moment {
  absl::CivilSecond civil;
  int64_t nanoseconds = 0;
  int offset = 0;
  std::string abbreviation;
  std::string zone_name;
};

std::string Padded(int64_t value, int width) {
  return absl::StrFormat("%0*d", width, value);
}

std::string NameOf(absl::string_view name, int count) {
  return std::string(name.substr(0, count == 4   ? name.size()
                                    : count == 5 ? 1
                                                 : kShortNameLength));
}

// "+09", "+0900" or "+09:00".
std::string OffsetText(int offset, absl::string_view separator,
                       bool omit_zero_minutes) {
  const int absolute = std::abs(offset);
  const int minutes = absolute / 60 % 60;
  std::string text = absl::StrCat(offset < 0 ? "-" : "+",
                                  Padded(absolute / kSecondsPerHour, 2));
  if (minutes != 0 || !omit_zero_minutes) {
    absl::StrAppend(&text, separator, Padded(minutes, 2));
  }
  return text;
}

// Of the letters X, x and Z.
std::string FormatOffset(char letter, int count, int offset) {
  if (letter == 'Z') {
    if (count == 4) {
      return offset == 0 ? "GMT"
                         : absl::StrCat("GMT", OffsetText(offset, ":", false));
    }
    if (count == 5) {
      return offset == 0 ? "Z" : OffsetText(offset, ":", false);
    }
    return OffsetText(offset, "", false);
  }
  if (letter == 'X' && offset == 0) return "Z";
  const bool with_colon = count == 3 || count == 5;
  return OffsetText(offset, with_colon ? ":" : "", count == 1);
}

std::string FormatLocalizedOffset(int count, int offset) {
  if (offset == 0) return "GMT";
  if (count == 4) return absl::StrCat("GMT", OffsetText(offset, ":", false));
  const int absolute = std::abs(offset);
  const int minutes = absolute / 60 % 60;
  return absl::StrCat(
      "GMT", offset < 0 ? "-" : "+", absolute / kSecondsPerHour,
      minutes == 0 ? "" : absl::StrCat(":", Padded(minutes, 2)));
}

std::string FormatYear(int64_t year, int count) {
  return count == 2 ? Padded((year % 100 + 100) % 100, 2) : Padded(year, count);
}

std::string FormatQuarter(int quarter, int count) {
  static constexpr absl::string_view kOrdinals[] = {"1st", "2nd", "3rd", "4th"};
  if (count == 3) return absl::StrCat("Q", quarter);
  if (count == 4) return absl::StrCat(kOrdinals[quarter - 1], " quarter");
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
      return moment.zone_name;
    case 'z':
      return moment.abbreviation;
    case 'O':
      return FormatLocalizedOffset(item.count, moment.offset);
    case 'X':
    case 'x':
    case 'Z':
      return FormatOffset(item.letter, item.count, moment.offset);
    default:
      return absl::StrContains("GuyDMLdQqE", item.letter)
                 ? FormatDateLetter(item, moment)
                 : FormatTimeLetter(item, moment);
  }
}

// The seconds of "+9", "+09", "+0900", "+09:00" or "+09:00:00".
std::optional<int> OffsetSeconds(absl::string_view text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) {
    return std::nullopt;
  }
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  std::string digits;
  for (const absl::string_view part : absl::StrSplit(text, ':')) {
    if (!absl::c_all_of(part, absl::ascii_isdigit) ||
        (part.size() != 2 && part.size() != text.size())) {
      return std::nullopt;
    }
    absl::StrAppend(&digits, part);
  }
  if (digits.size() == 1) digits.insert(0, "0");
  if (digits.size() % 2 != 0 || digits.empty() || digits.size() > 6) {
    return std::nullopt;
  }
  digits.resize(6, '0');
  int parts[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    if (!absl::SimpleAtoi(digits.substr(2 * i, 2), &parts[i])) {
      return std::nullopt;
    }
  }
  const int seconds = parts[0] * kSecondsPerHour + parts[1] * 60 + parts[2];
  if (parts[1] > 59 || parts[2] > 59 || seconds > kMaxOffsetSeconds) {
    return std::nullopt;
  }
  return sign * seconds;
}

// Whether the system has a zone of this name. absl remembers every name that
// it is asked for, so it is only asked for those.
bool IsInDatabase(absl::string_view name) {
  if (name.empty() || name.front() == '/' || absl::StrContains(name, "..") ||
      !absl::c_all_of(name, [](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
               absl::StrContains("/_+-", c);
      })) {
    return false;
  }
  const char* folder = std::getenv("TZDIR");
  std::error_code error;
  return std::filesystem::is_regular_file(
      absl::StrCat(folder != nullptr ? folder : "/usr/share/zoneinfo", "/",
                   name),
      error);
}

}  // namespace

absl::StatusOr<absl::TimeZone> FindZone(absl::string_view name) {
  if (name == "Z" || name == "UTC" || name == "GMT" || name == "UT") {
    return absl::UTCTimeZone();
  }
  absl::string_view offset = name;
  for (const absl::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (absl::ConsumePrefix(&offset, prefix)) break;
  }
  if (const std::optional<int> seconds = OffsetSeconds(offset)) {
    return absl::FixedTimeZone(*seconds);
  }
  absl::TimeZone zone;
  if (!IsInDatabase(name) || !absl::LoadTimeZone(name, &zone)) {
    return absl::InvalidArgumentError(
        absl::StrCat("Unknown time zone: ", name.substr(0, 100)));
  }
  return zone;
}

absl::StatusOr<std::string> FormatJavaTime(absl::Time time,
                                           absl::string_view pattern,
                                           absl::TimeZone zone) {
  const absl::StatusOr<std::vector<TimePatternItem>> items =
      ParseTimePattern(pattern);
  if (!items.ok()) return items.status();
  const absl::TimeZone::CivilInfo info = zone.At(time);
  const Moment moment = {
      .civil = info.cs,
      .nanoseconds = absl::ToInt64Nanoseconds(info.subsecond),
      .offset = info.offset,
      .abbreviation = info.zone_abbr,
      .zone_name = zone.name()};
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
