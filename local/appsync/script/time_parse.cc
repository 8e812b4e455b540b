// Reading times. The other half of time_format.h is in time_format.cc.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/appsync/script/time_format.h"
#include "local/appsync/script/time_offset.h"
#include "local/appsync/script/time_pattern.h"
#include "local/appsync/script/time_zone.h"

namespace byoshin::local::appsync::script {
namespace {

using Kind = TimePatternItem::Kind;

// A pattern is shorter than that, and what its letters write is, too. Texts
// come from clients: they are not read for long.
constexpr size_t kMaxTextBytes = 4096;
constexpr size_t kMaxDigits = 19;
constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;
constexpr int64_t kNanosecondsPerDay = 86'400'000'000'000;

using Field = std::optional<int64_t>;

// What a text says.
struct ReadTime {
  Field year;
  Field year_of_era;
  // 0 is before Christ.
  Field era;
  Field quarter;
  Field month;
  Field day;
  Field day_of_year;
  // 1 is Monday.
  Field weekday;
  Field hour;
  Field half_day_hour;
  // 0 is the morning.
  Field half_day;
  Field minute;
  Field second;
  Field nanosecond;
  Field nanosecond_of_day;
  Field offset;
  std::optional<Zone> zone;
};

// False if the field already has another value.
bool Set(Field& field, int64_t value) {
  if (field.has_value() && *field != value) return false;
  field = value;
  return true;
}

bool IsConsistent(const Field& field, int64_t value) {
  return field.value_or(value) == value;
}

// How many digits a number may have.
struct Width {
  size_t least = 1;
  size_t most = kMaxDigits;

  bool fixed() const { return least == most; }
};

// Of letters that are numbers.
std::optional<Width> WidthOf(const TimePatternItem& item) {
  if (item.kind != Kind::kLetter) return std::nullopt;
  const auto count = static_cast<size_t>(item.count);
  switch (item.letter) {
    case 'u':
    case 'y':
    case 'A':
    case 'n':
    case 'N':
      return Width{.least = count,
                   .most = count == 2 && absl::StrContains("uy", item.letter)
                               ? count
                               : kMaxDigits};
    case 'S':
      return Width{.least = count, .most = count};
    case 'D':
      return Width{.least = count, .most = count == 1 ? kMaxDigits : 3};
    case 'M':
    case 'L':
    case 'Q':
    case 'q':
      if (count > 2) return std::nullopt;
      break;
    default:
      if (!absl::StrContains("dhKkHms", item.letter)) return std::nullopt;
  }
  return count == 1 ? Width{} : Width{.least = count, .most = count};
}

// Reads a text from left to right.
class TimeReader {
 public:
  TimeReader(absl::string_view text, absl::Span<const TimePatternItem> items)
      : text_(text), items_(items) {}

  bool ReadAll() { return Read(0, items_.size()) && text_.empty(); }
  const ReadTime& time() const { return time_; }

 private:
  // The items [begin, end).
  bool Read(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const TimePatternItem& item = items_[i];
      if (item.kind == Kind::kOptionalBegin) {
        const size_t close = CloseOf(i);
        const absl::string_view text = text_;
        const ReadTime time = time_;
        if (!Read(i + 1, close)) {
          text_ = text;
          time_ = time;
        }
        i = close;
      } else if (item.kind == Kind::kText) {
        if (!absl::StartsWith(text_, item.text)) return false;
        text_.remove_prefix(item.text.size());
      } else if (item.kind == Kind::kLetter && !ReadLetter(i)) {
        return false;
      }
    }
    return true;
  }

  size_t CloseOf(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < items_.size(); ++i) {
      if (items_[i].kind == Kind::kOptionalBegin) ++depth;
      if (items_[i].kind == Kind::kOptionalEnd && --depth == 0) return i;
    }
    return items_.size();
  }

  // The digits that numbers of a fixed width right behind an item need.
  size_t ReservedAfter(size_t index) const {
    size_t reserved = 0;
    for (size_t i = index + 1; i < items_.size(); ++i) {
      const std::optional<Width> width = WidthOf(items_[i]);
      if (!width.has_value()) break;
      if (!width->fixed()) return 0;
      reserved += width->least;
    }
    return reserved;
  }

  Field ReadDigits(const Width& width, size_t reserved) {
    size_t digits = 0;
    while (digits < text_.size() && digits < width.most + reserved &&
           absl::ascii_isdigit(static_cast<unsigned char>(text_[digits]))) {
      ++digits;
    }
    const size_t found = digits;
    if (reserved > 0) {
      digits = std::max(width.least, found - std::min(found, reserved));
    }
    int64_t number = 0;
    if (digits < width.least || digits > found ||
        !absl::SimpleAtoi(text_.substr(0, digits), &number)) {
      return std::nullopt;
    }
    text_.remove_prefix(digits);
    return number;
  }

  Field ReadNumber(size_t index) {
    const Width width = WidthOf(items_[index]).value_or(Width{});
    return ReadDigits(width, width.fixed() ? 0 : ReservedAfter(index));
  }

  bool ReadField(size_t index, int64_t low, int64_t high, Field& field) {
    const Field number = ReadNumber(index);
    return number.has_value() && *number >= low && *number <= high &&
           Set(field, *number);
  }

  // A name, whose number counts from 1 on. Of names that share their only
  // letter, Java reads the last.
  bool ReadName(absl::Span<const absl::string_view> names, int count,
                Field& field) {
    const size_t length = count == 4   ? absl::string_view::npos
                          : count == 5 ? 1
                                       : kShortNameLength;
    for (size_t i = names.size(); i > 0; --i) {
      if (absl::ConsumePrefix(&text_, names[i - 1].substr(0, length))) {
        return Set(field, static_cast<int64_t>(i));
      }
    }
    return false;
  }

  bool ReadMonth(size_t index) {
    const int count = items_[index].count;
    return count < 3 ? ReadField(index, 1, 12, time_.month)
                     : ReadName(kMonthNames, count, time_.month);
  }

  bool ReadQuarter(size_t index) {
    const int count = items_[index].count;
    if (count < 3) return ReadField(index, 1, 4, time_.quarter);
    if (count == 3 && !absl::ConsumePrefix(&text_, "Q")) return false;
    const Field quarter = ReadDigits({.least = 1, .most = 1}, 0);
    if (!quarter.has_value() || *quarter < 1 || *quarter > 4) return false;
    if (count == 4) {
      const auto ordinal = static_cast<size_t>(*quarter - 1);
      if (!absl::ConsumePrefix(&text_, kOrdinalEndings[ordinal]) ||
          !absl::ConsumePrefix(&text_, kQuarterEnding)) {
        return false;
      }
    }
    return Set(time_.quarter, *quarter);
  }

  // Years of more digits than letters have a sign, as have those before zero.
  bool ReadYear(size_t index, Field& field) {
    constexpr int64_t kMaxYear = 999'999'999;
    const auto count = static_cast<size_t>(items_[index].count);
    const bool has_sign = count >= 4;
    const bool plus = has_sign && absl::ConsumePrefix(&text_, "+");
    const bool minus = !plus && count != 2 && absl::ConsumePrefix(&text_, "-");
    const size_t before = text_.size();
    const Field number = ReadNumber(index);
    if (!number.has_value() || *number > kMaxYear) return false;
    const size_t digits = before - text_.size();
    if (minus) return *number != 0 && Set(field, -*number);
    if (has_sign && plus != (digits > count)) return false;
    return Set(field, count == 2 ? *number + 2000 : *number);
  }

  bool ReadEra(int count) {
    static constexpr absl::string_view kNames[][2] = {
        {"BC", "AD"}, {"Before Christ", "Anno Domini"}, {"B", "A"}};
    const auto& names = kNames[count < 4 ? 0 : count - 3];
    if (absl::ConsumePrefix(&text_, names[0])) return Set(time_.era, 0);
    return absl::ConsumePrefix(&text_, names[1]) && Set(time_.era, 1);
  }

  bool ReadZone() {
    std::optional<Zone> zone = TakeZone(text_);
    if (!zone.has_value()) return false;
    time_.zone = *std::move(zone);
    return true;
  }

  bool ReadOffset(const TimePatternItem& item) {
    const std::optional<int> offset = TakeOffset(item, text_);
    return offset.has_value() && Set(time_.offset, *offset);
  }

  // The fraction of a second has leading zeros.
  bool ReadFraction(size_t index) {
    Field number = ReadNumber(index);
    if (!number.has_value()) return false;
    for (int i = items_[index].count; i < 9; ++i) *number *= 10;
    return Set(time_.nanosecond, *number);
  }

  // An hour from 0 to `hours`, where both mean the same.
  bool ReadClockHour(size_t index, int64_t hours, Field& field) {
    const Field number = ReadNumber(index);
    return number.has_value() && *number <= hours &&
           Set(field, *number % hours);
  }

  bool ReadHalfDay() {
    if (absl::ConsumePrefix(&text_, "AM")) return Set(time_.half_day, 0);
    return absl::ConsumePrefix(&text_, "PM") && Set(time_.half_day, 1);
  }

  bool ReadLetter(size_t index) {
    const TimePatternItem& item = items_[index];
    switch (item.letter) {
      case 'G':
        return ReadEra(item.count);
      case 'u':
        return ReadYear(index, time_.year);
      case 'y':
        return ReadYear(index, time_.year_of_era);
      case 'M':
      case 'L':
        return ReadMonth(index);
      case 'd':
        return ReadField(index, 1, 31, time_.day);
      case 'D':
        return ReadField(index, 1, 366, time_.day_of_year);
      case 'Q':
      case 'q':
        return ReadQuarter(index);
      case 'E':
        return ReadName(kDayNames, item.count, time_.weekday);
      case 'a':
        return ReadHalfDay();
      case 'V':
      case 'z':
        return ReadZone();
      case 'O':
      case 'X':
      case 'x':
      case 'Z':
        return ReadOffset(item);
      default:
        return ReadClock(index);
    }
  }

  bool ReadClock(size_t index) {
    switch (items_[index].letter) {
      case 'H':
        return ReadField(index, 0, 24, time_.hour);
      case 'k':
        return ReadClockHour(index, 24, time_.hour);
      case 'h':
        return ReadClockHour(index, 12, time_.half_day_hour);
      case 'K':
        return ReadField(index, 0, 11, time_.half_day_hour);
      case 'm':
        return ReadField(index, 0, 59, time_.minute);
      case 's':
        return ReadField(index, 0, 59, time_.second);
      case 'S':
        return ReadFraction(index);
      case 'n':
        return ReadField(index, 0, 999'999'999, time_.nanosecond);
      case 'N':
        return ReadField(index, 0, kNanosecondsPerDay - 1,
                         time_.nanosecond_of_day);
      default: {  // A
        Field milliseconds;
        return ReadField(index, 0,
                         kNanosecondsPerDay / kNanosecondsPerMillisecond - 1,
                         milliseconds) &&
               Set(time_.nanosecond_of_day,
                   *milliseconds * kNanosecondsPerMillisecond);
      }
    }
  }

  absl::string_view text_;
  absl::Span<const TimePatternItem> items_;
  ReadTime time_;
};

Field YearOf(const ReadTime& time) {
  if (!time.year_of_era.has_value()) return time.year;
  if (*time.year_of_era < 1) return std::nullopt;
  const int64_t year =
      time.era == 0 ? 1 - *time.year_of_era : *time.year_of_era;
  return IsConsistent(time.year, year) ? Field(year) : std::nullopt;
}

std::optional<absl::CivilDay> DayOf(const ReadTime& time) {
  const Field year = YearOf(time);
  if (!year.has_value()) return std::nullopt;
  absl::CivilDay civil;
  if (time.day_of_year.has_value() && !time.month.has_value()) {
    civil = absl::CivilDay(*year, 1, 1) + (*time.day_of_year - 1);
    if (civil.year() != *year) return std::nullopt;
  } else {
    const absl::CivilMonth month(*year, time.month.value_or(1));
    const absl::CivilDay last = absl::CivilDay(month + 1) - 1;
    civil = std::min(absl::CivilDay(month) + (time.day.value_or(1) - 1), last);
    if (!IsConsistent(time.day_of_year, absl::GetYearDay(civil))) {
      return std::nullopt;
    }
  }
  const auto weekday = static_cast<int64_t>(absl::GetWeekday(civil)) + 1;
  return IsConsistent(time.quarter, (civil.month() + 2) / 3) &&
                 IsConsistent(time.weekday, weekday)
             ? std::optional(civil)
             : std::nullopt;
}

// Since the day's beginning.
std::optional<absl::Duration> TimeOfDay(const ReadTime& time) {
  Field hour = time.hour;
  if (time.half_day_hour.has_value()) {
    const int64_t half_days =
        hour.value_or(12 * time.half_day.value_or(0)) / 12;
    if (!Set(hour, *time.half_day_hour + 12 * half_days)) return std::nullopt;
  }
  absl::Duration of_day = absl::Hours(hour.value_or(0)) +
                          absl::Minutes(time.minute.value_or(0)) +
                          absl::Seconds(time.second.value_or(0)) +
                          absl::Nanoseconds(time.nanosecond.value_or(0));
  if (time.nanosecond_of_day.has_value()) {
    of_day = absl::Nanoseconds(*time.nanosecond_of_day);
    const int64_t seconds = absl::ToInt64Seconds(of_day);
    if (!IsConsistent(hour, seconds / kSecondsPerHour) ||
        !IsConsistent(time.minute, seconds / 60 % 60) ||
        !IsConsistent(time.second, seconds % 60)) {
      return std::nullopt;
    }
  }
  // 24:00 is the only time of the hour 24.
  if (of_day > absl::Hours(24)) return std::nullopt;
  const int64_t half_day = of_day % absl::Hours(24) / absl::Hours(12);
  return IsConsistent(time.half_day, half_day) ? std::optional(of_day)
                                               : std::nullopt;
}

}  // namespace

absl::StatusOr<absl::Time> ParseJavaTime(absl::string_view text,
                                         absl::string_view pattern,
                                         const Zone& zone) {
  const absl::StatusOr<std::vector<TimePatternItem>> items =
      ParseTimePattern(pattern);
  if (!items.ok()) return items.status();
  TimeReader reader(text, *items);
  const bool matches = text.size() <= kMaxTextBytes && reader.ReadAll();
  const ReadTime& time = reader.time();
  const std::optional<absl::CivilDay> day = DayOf(time);
  const std::optional<absl::Duration> of_day = TimeOfDay(time);
  if (!matches || !day.has_value() || !of_day.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Unable to parse date \"", text.substr(0, 100), "\" as ", pattern));
  }
  // An offset is more exact than a zone.
  const absl::TimeZone rules =
      time.offset.has_value()
          ? absl::FixedTimeZone(static_cast<int>(*time.offset))
          : time.zone.value_or(zone).rules;
  const int64_t seconds = absl::ToInt64Seconds(*of_day);
  return absl::FromCivil(absl::CivilSecond(*day) + seconds, rules) +
         (*of_day - absl::Seconds(seconds));
}

}  // namespace byoshin::local::appsync::script
