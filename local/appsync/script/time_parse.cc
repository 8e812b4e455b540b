// Reading times. The other half of time_format.h is in time_format.cc.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/appsync/script/time_format.h"
#include "local/appsync/script/time_pattern.h"

namespace byoshin::local::appsync::script {
namespace {

using Kind = TimePatternItem::Kind;

constexpr int kMaxYearDigits = 9;

// What a text says so far. Fields by their letters; -1 if it does not say.
struct ReadTime {
  int64_t year = -1;
  bool before_christ = false;
  int64_t month = -1;
  int64_t day = -1;
  int64_t day_of_year = -1;
  int64_t hour = -1;
  int64_t half_day_hour = -1;
  int half_day = -1;
  int64_t minute = -1;
  int64_t second = -1;
  int64_t nanoseconds = -1;
  int64_t of_day = -1;
  std::optional<absl::TimeZone> zone;
};

bool IsNumeric(const TimePatternItem& item) {
  return item.kind == Kind::kLetter &&
         (absl::StrContains("uyDdhKkHmsSAnN", item.letter) ||
          (absl::StrContains("MLQq", item.letter) && item.count < 3));
}

// The digits that a number may have: exactly `count`, or at least that many.
bool HasFixedWidth(const TimePatternItem& item) {
  if (item.letter == 'S') return true;
  return item.count == 2 || (item.letter == 'D' && item.count == 3);
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

  // A number. One of any width leaves the digits of those right behind it.
  std::optional<int64_t> ReadNumber(size_t index) {
    const TimePatternItem& item = items_[index];
    const auto count = static_cast<size_t>(item.count);
    size_t digits = 0;
    while (digits < text_.size() &&
           absl::ascii_isdigit(static_cast<unsigned char>(text_[digits]))) {
      ++digits;
    }
    size_t width = count;
    if (!HasFixedWidth(item)) {
      size_t reserved = 0;
      for (size_t i = index + 1; i < items_.size() && IsNumeric(items_[i]);
           ++i) {
        reserved += static_cast<size_t>(items_[i].count);
      }
      width = digits > reserved ? digits - reserved : 0;
      const bool is_year = item.letter == 'y' || item.letter == 'u';
      if (width > (is_year ? kMaxYearDigits : 18)) return std::nullopt;
    }
    int64_t number = 0;
    if (width < count || width == 0 || digits < width ||
        !absl::SimpleAtoi(text_.substr(0, width), &number)) {
      return std::nullopt;
    }
    text_.remove_prefix(width);
    if (item.letter == 'S') {
      for (size_t i = width; i < 9; ++i) number *= 10;
    }
    return number;
  }

  bool ReadField(size_t index, int64_t low, int64_t high, int64_t& field) {
    const std::optional<int64_t> number = ReadNumber(index);
    if (!number.has_value() || *number < low || *number > high) return false;
    field = *number;
    return true;
  }

  // The index of the name at the start; names in full or with three letters.
  std::optional<size_t> ReadName(absl::Span<const absl::string_view> names,
                                 int count) {
    for (size_t i = 0; i < names.size(); ++i) {
      const absl::string_view name =
          count == 4 ? names[i] : names[i].substr(0, kShortNameLength);
      if (absl::StartsWith(text_, name)) {
        text_.remove_prefix(name.size());
        return i;
      }
    }
    return std::nullopt;
  }

  bool ReadMonth(size_t index) {
    if (items_[index].count < 3) return ReadField(index, 1, 12, time_.month);
    const std::optional<size_t> month =
        ReadName(kMonthNames, items_[index].count);
    if (month.has_value()) time_.month = static_cast<int64_t>(*month) + 1;
    return month.has_value();
  }

  bool ReadYear(size_t index) {
    if (!ReadField(index, 0, 999'999'999, time_.year)) return false;
    if (items_[index].count == 2) time_.year += 2000;
    return true;
  }

  bool ReadEra(int count) {
    constexpr absl::string_view kShort[] = {"AD", "BC"};
    constexpr absl::string_view kFull[] = {"Anno Domini", "Before Christ"};
    const absl::Span<const absl::string_view> names =
        count == 4 ? absl::MakeConstSpan(kFull) : absl::MakeConstSpan(kShort);
    const std::optional<size_t> era = ReadName(names, 4);
    time_.before_christ = era == 1;
    return era.has_value();
  }

  // A zone's name, or an offset: as many characters as make one.
  bool ReadZone() {
    size_t size = 0;
    while (size < text_.size() &&
           (absl::ascii_isalnum(static_cast<unsigned char>(text_[size])) ||
            absl::StrContains("/_+-:", text_[size]))) {
      ++size;
    }
    for (; size > 0; --size) {
      const absl::StatusOr<absl::TimeZone> zone =
          FindZone(text_.substr(0, size));
      if (!zone.ok()) continue;
      time_.zone = *zone;
      text_.remove_prefix(size);
      return true;
    }
    return false;
  }

  bool ReadHalfDay() {
    const bool morning = absl::StartsWithIgnoreCase(text_, "AM");
    if (!morning && !absl::StartsWithIgnoreCase(text_, "PM")) return false;
    time_.half_day = morning ? 0 : 1;
    text_.remove_prefix(2);
    return true;
  }

  bool ReadLetter(size_t index) {
    const TimePatternItem& item = items_[index];
    int64_t ignored = 0;
    switch (item.letter) {
      case 'G':
        return ReadEra(item.count);
      case 'u':
      case 'y':
        return ReadYear(index);
      case 'M':
      case 'L':
        return ReadMonth(index);
      case 'd':
        return ReadField(index, 1, 31, time_.day);
      case 'D':
        return ReadField(index, 1, 366, time_.day_of_year);
      case 'Q':
      case 'q':
        return item.count < 3 && ReadField(index, 1, 4, ignored);
      case 'E':
        return ReadName(kDayNames, item.count).has_value();
      case 'a':
        return ReadHalfDay();
      case 'V':
      case 'z':
      case 'O':
      case 'X':
      case 'x':
      case 'Z':
        return ReadZone();
      default:
        return ReadClock(index);
    }
  }

  bool ReadClock(size_t index) {
    constexpr int64_t kNanosecondsPerDay = 86'400'000'000'000;
    switch (items_[index].letter) {
      case 'H':
        return ReadField(index, 0, 23, time_.hour);
      case 'k':
        if (!ReadField(index, 1, 24, time_.hour)) return false;
        time_.hour %= 24;
        return true;
      case 'h':
        if (!ReadField(index, 1, 12, time_.half_day_hour)) return false;
        time_.half_day_hour %= 12;
        return true;
      case 'K':
        return ReadField(index, 0, 11, time_.half_day_hour);
      case 'm':
        return ReadField(index, 0, 59, time_.minute);
      case 's':
        return ReadField(index, 0, 59, time_.second);
      case 'A':
        if (!ReadField(index, 0, 86'399'999, time_.of_day)) return false;
        time_.of_day *= 1'000'000;
        return true;
      case 'N':
        return ReadField(index, 0, kNanosecondsPerDay - 1, time_.of_day);
      default:  // S, n
        return ReadField(index, 0, 999'999'999, time_.nanoseconds);
    }
  }

  absl::string_view text_;
  absl::Span<const TimePatternItem> items_;
  ReadTime time_;
};

int64_t OrElse(int64_t value, int64_t otherwise) {
  return value < 0 ? otherwise : value;
}

std::optional<absl::CivilDay> DayOf(const ReadTime& time) {
  if (time.year < 0) return std::nullopt;
  const int64_t year = time.before_christ ? 1 - time.year : time.year;
  if (time.day_of_year > 0) {
    const absl::CivilDay day =
        absl::CivilDay(year, 1, 1) + (time.day_of_year - 1);
    return day.year() == year ? std::optional(day) : std::nullopt;
  }
  const auto month = static_cast<int>(OrElse(time.month, 1));
  const auto day = static_cast<int>(OrElse(time.day, 1));
  const absl::CivilDay civil(year, month, day);
  // 31 February is another day.
  return civil.month() == month ? std::optional(civil) : std::nullopt;
}

absl::Duration TimeOfDay(const ReadTime& time) {
  if (time.of_day >= 0) return absl::Nanoseconds(time.of_day);
  int64_t hour = OrElse(time.hour, 0);
  if (time.hour < 0 && time.half_day_hour >= 0) {
    hour = time.half_day_hour + (time.half_day == 1 ? 12 : 0);
  }
  return absl::Hours(hour) + absl::Minutes(OrElse(time.minute, 0)) +
         absl::Seconds(OrElse(time.second, 0)) +
         absl::Nanoseconds(OrElse(time.nanoseconds, 0));
}

}  // namespace

absl::StatusOr<absl::Time> ParseJavaTime(absl::string_view text,
                                         absl::string_view pattern,
                                         absl::TimeZone zone) {
  const absl::StatusOr<std::vector<TimePatternItem>> items =
      ParseTimePattern(pattern);
  if (!items.ok()) return items.status();
  TimeReader reader(text, *items);
  const bool matches = reader.ReadAll();
  const std::optional<absl::CivilDay> day =
      matches ? DayOf(reader.time()) : std::nullopt;
  if (!day.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Unable to parse date \"", text.substr(0, 100), "\" as ", pattern));
  }
  const absl::Duration of_day = TimeOfDay(reader.time());
  const int64_t seconds = absl::ToInt64Seconds(of_day);
  return absl::FromCivil(absl::CivilSecond(*day) + seconds,
                         reader.time().zone.value_or(zone)) +
         (of_day - absl::Seconds(seconds));
}

}  // namespace byoshin::local::appsync::script
