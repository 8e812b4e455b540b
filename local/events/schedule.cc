#include "local/events/schedule.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace byoshin::local::events {
namespace {

// A field of a cron expression: its name and its allowed values.
struct Field {
  absl::string_view name;
  int min;
  int max;
  // Names of the values, from `min`; empty if they have none.
  std::vector<absl::string_view> names{};
};

const Field& MinutesField() {
  static const auto& field = *new Field{"minutes", 0, 59};
  return field;
}
const Field& HoursField() {
  static const auto& field = *new Field{"hours", 0, 23};
  return field;
}
const Field& DayOfMonthField() {
  static const auto& field = *new Field{"day-of-month", 1, 31};
  return field;
}
const Field& MonthField() {
  static const auto& field =
      *new Field{"month",
                 1,
                 12,
                 {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP",
                  "OCT", "NOV", "DEC"}};
  return field;
}
const Field& DayOfWeekField() {
  static const auto& field = *new Field{
      "day-of-week", 1, 7, {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}};
  return field;
}
const Field& YearField() {
  static const auto& field = *new Field{"year", kFirstCronYear, kLastCronYear};
  return field;
}

absl::Status Wrong(const Field& field, absl::string_view text,
                   absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the field ", field.name,
                   " of the cron expression is wrong: \"", text, "\" ", why));
}

// Digits only: SimpleAtoi also accepts signs and spaces.
bool ParseNumber(absl::string_view text, int& value) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit) &&
         absl::SimpleAtoi(text, &value);
}

absl::StatusOr<int> ParseValue(const Field& field, absl::string_view text) {
  int value = 0;
  if (ParseNumber(text, value)) {
    if (value >= field.min && value <= field.max) return value;
    return Wrong(field, text,
                 absl::StrCat("is not from ", field.min, " to ", field.max));
  }
  const std::string upper = absl::AsciiStrToUpper(text);
  const auto found = std::find(field.names.begin(), field.names.end(), upper);
  if (found != field.names.end()) {
    return field.min + static_cast<int>(found - field.names.begin());
  }
  return Wrong(field, text, "is not a value");
}

// One element of a list: *, 5, 5-10, 5/15, */15, 5-40/15. A range that ends
// before it begins wraps around: FRI-MON.
absl::Status ParseElement(const Field& field, absl::string_view text,
                          std::vector<int>& values) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('/', 1));
  int step = 1;
  if (parts.size() == 2 &&
      (!ParseNumber(parts[1], step) || step < 1 || step > field.max)) {
    return Wrong(field, text, "has an invalid step");
  }
  int first = field.min;
  int last = field.max;
  if (parts[0] != "*") {
    const std::vector<absl::string_view> ends =
        absl::StrSplit(parts[0], absl::MaxSplits('-', 1));
    absl::StatusOr<int> begin = ParseValue(field, ends[0]);
    if (!begin.ok()) return begin.status();
    first = *begin;
    if (ends.size() == 2) {
      absl::StatusOr<int> end = ParseValue(field, ends[1]);
      if (!end.ok()) return end.status();
      last = *end;
    } else if (parts.size() == 1) {
      last = first;
    }
  }
  const int count = field.max - field.min + 1;
  if (last < first) {
    if (&field == &YearField()) return Wrong(field, text, "ends too early");
    last += count;
  }
  for (int value = first; value <= last; value += step) {
    values.push_back(field.min + (value - field.min) % count);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> ParseList(const Field& field,
                                           absl::string_view text) {
  std::vector<int> values;
  for (absl::string_view element : absl::StrSplit(text, ',')) {
    absl::Status parsed = ParseElement(field, element, values);
    if (!parsed.ok()) return parsed;
  }
  return values;
}

// Sets the bits of a field, counted from `origin`.
template <std::size_t kSize>
absl::Status ParseBits(const Field& field, absl::string_view text, int origin,
                       std::bitset<kSize>& bits) {
  absl::StatusOr<std::vector<int>> values = ParseList(field, text);
  if (!values.ok()) return values.status();
  for (int value : *values) bits.set(static_cast<std::size_t>(value - origin));
  return absl::OkStatus();
}

absl::StatusOr<CronDays> ParseDayOfMonth(absl::string_view text) {
  const Field& field = DayOfMonthField();
  CronDays days;
  absl::string_view rest = text;
  if (text == "L") {
    days.kind = CronDays::Kind::kLastDay;
    return days;
  }
  if (text == "LW") {
    days.kind = CronDays::Kind::kLastWeekday;
    return days;
  }
  if (absl::ConsumeSuffix(&rest, "W")) {
    absl::StatusOr<int> value = ParseValue(field, rest);
    if (!value.ok()) return value.status();
    days.kind = CronDays::Kind::kNearestWeekday;
    days.value = *value;
    return days;
  }
  if (absl::Status parsed = ParseBits(field, text, 0, days.set); !parsed.ok()) {
    return parsed;
  }
  return days;
}

absl::StatusOr<CronDays> ParseDayOfWeek(absl::string_view text) {
  const Field& field = DayOfWeekField();
  CronDays days;
  days.kind = CronDays::Kind::kDaysOfWeek;
  absl::string_view rest = text;
  const std::vector<absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('#', 1));
  if (parts.size() == 2) {
    absl::StatusOr<int> value = ParseValue(field, parts[0]);
    if (!value.ok()) return value.status();
    if (!ParseNumber(parts[1], days.nth) || days.nth < 1 || days.nth > 5) {
      return Wrong(field, text, "has no number from 1 to 5 behind #");
    }
    days.kind = CronDays::Kind::kNthDayOfWeek;
    days.value = *value;
    return days;
  }
  // By itself: the last day of the week.
  if (text == "L") {
    days.set.set(7);
    return days;
  }
  if (absl::ConsumeSuffix(&rest, "L")) {
    absl::StatusOr<int> value = ParseValue(field, rest);
    if (!value.ok()) return value.status();
    days.kind = CronDays::Kind::kLastDayOfWeek;
    days.value = *value;
    return days;
  }
  if (absl::Status parsed = ParseBits(field, text, 0, days.set); !parsed.ok()) {
    return parsed;
  }
  return days;
}

absl::StatusOr<CronDays> ParseDays(absl::string_view day_of_month,
                                   absl::string_view day_of_week) {
  if ((day_of_month == "?") == (day_of_week == "?")) {
    return absl::InvalidArgumentError(
        "of the fields day-of-month and day-of-week of the cron expression, "
        "exactly one must be ?");
  }
  return day_of_month == "?" ? ParseDayOfWeek(day_of_week)
                             : ParseDayOfMonth(day_of_month);
}

absl::StatusOr<Cron> ParseCron(absl::string_view text) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (fields.size() != 6) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a cron expression has 6 fields (minutes, hours, day-of-month, month, "
        "day-of-week, year), and this has ",
        fields.size(), ": \"", text, "\""));
  }
  Cron cron;
  absl::Status parsed = ParseBits(MinutesField(), fields[0], 0, cron.minutes);
  if (parsed.ok()) parsed = ParseBits(HoursField(), fields[1], 0, cron.hours);
  if (parsed.ok()) parsed = ParseBits(MonthField(), fields[3], 0, cron.months);
  if (parsed.ok()) {
    parsed = ParseBits(YearField(), fields[5], kFirstCronYear, cron.years);
  }
  if (!parsed.ok()) return parsed;
  absl::StatusOr<CronDays> days = ParseDays(fields[2], fields[4]);
  if (!days.ok()) return days.status();
  cron.days = *days;
  return cron;
}

absl::StatusOr<absl::Duration> ParseRate(absl::string_view text) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  int value = 0;
  if (parts.size() == 2 && ParseNumber(parts[0], value) && value > 0) {
    absl::string_view unit = parts[1];
    const bool plural = absl::ConsumeSuffix(&unit, "s");
    // AWS requires it.
    if (plural == (value != 1)) {
      if (unit == "minute") return absl::Minutes(value);
      if (unit == "hour") return absl::Hours(value);
      if (unit == "day") return absl::Hours(24) * value;
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a rate is a positive number and minute(s), hour(s) or day(s), with an s "
      "unless it is 1; this is \"",
      text, "\""));
}

int LastDayOf(absl::CivilMonth month) {
  return (absl::CivilDay(month + 1) - 1).day();
}

// 1 for Sunday.
int DayOfWeek(absl::CivilMonth month, int day) {
  const absl::Weekday weekday =
      absl::GetWeekday(absl::CivilDay(month.year(), month.month(), day));
  // absl counts from Monday.
  return (static_cast<int>(weekday) + 1) % 7 + 1;
}

bool IsWeekend(absl::CivilMonth month, int day) {
  const int weekday = DayOfWeek(month, day);
  return weekday == 1 || weekday == 7;
}

// The day from Monday to Friday that is nearest to `day`, within the month.
int NearestWeekday(absl::CivilMonth month, int day) {
  const int weekday = DayOfWeek(month, day);
  if (weekday == 7) return day > 1 ? day - 1 : day + 2;
  if (weekday == 1) return day < LastDayOf(month) ? day + 1 : day - 2;
  return day;
}

// The lowest bit from `from` on; kSize if there is none.
template <std::size_t kSize>
std::size_t FirstFrom(const std::bitset<kSize>& bits, std::size_t from) {
  while (from < kSize && !bits[from]) ++from;
  return from;
}

// The first time on `day` that is not before `earliest`; nullopt if there is
// none.
std::optional<absl::CivilMinute> NextOnDay(const Cron& cron, absl::CivilDay day,
                                           absl::CivilMinute earliest) {
  const bool same = absl::CivilDay(earliest) == day;
  std::size_t hour = FirstFrom(cron.hours, same ? earliest.hour() : 0);
  const bool same_hour =
      same && hour == static_cast<std::size_t>(earliest.hour());
  std::size_t minute =
      FirstFrom(cron.minutes, same_hour ? earliest.minute() : 0);
  if (hour < cron.hours.size() && minute == cron.minutes.size()) {
    hour = FirstFrom(cron.hours, hour + 1);
    minute = FirstFrom(cron.minutes, 0);
  }
  if (hour == cron.hours.size()) return std::nullopt;
  return absl::CivilMinute(day.year(), day.month(), day.day(),
                           static_cast<int>(hour), static_cast<int>(minute));
}

std::optional<absl::Time> NextCron(const Cron& cron, absl::Time after) {
  const absl::CivilMinute earliest =
      absl::ToCivilMinute(after, absl::UTCTimeZone()) + 1;
  absl::CivilMonth month(
      std::max(absl::CivilMonth(earliest), absl::CivilMonth(kFirstCronYear)));
  for (; month.year() <= kLastCronYear; ++month) {
    if (!cron.years[static_cast<std::size_t>(month.year() - kFirstCronYear)] ||
        !cron.months[static_cast<std::size_t>(month.month())]) {
      continue;
    }
    const DaySet days = cron.days.In(month);
    const bool same = absl::CivilMonth(earliest) == month;
    for (std::size_t day = FirstFrom(days, same ? earliest.day() : 1);
         day < days.size(); day = FirstFrom(days, day + 1)) {
      const std::optional<absl::CivilMinute> next = NextOnDay(
          cron,
          absl::CivilDay(month.year(), month.month(), static_cast<int>(day)),
          earliest);
      if (next.has_value()) return absl::FromCivil(*next, absl::UTCTimeZone());
    }
  }
  return std::nullopt;
}

}  // namespace

DaySet CronDays::In(absl::CivilMonth month) const {
  DaySet days;
  const int last = LastDayOf(month);
  switch (kind) {
    case Kind::kDaysOfMonth:
      for (int day = 1; day <= last; ++day) days[day] = set[day];
      break;
    case Kind::kLastDay:
      days.set(last);
      break;
    case Kind::kLastWeekday: {
      int day = last;
      while (IsWeekend(month, day)) --day;
      days.set(day);
      break;
    }
    case Kind::kNearestWeekday:
      if (value <= last) days.set(NearestWeekday(month, value));
      break;
    case Kind::kDaysOfWeek:
      for (int day = 1; day <= last; ++day) {
        days[day] = set[DayOfWeek(month, day)];
      }
      break;
    case Kind::kLastDayOfWeek: {
      int day = last;
      while (DayOfWeek(month, day) != value) --day;
      days.set(day);
      break;
    }
    case Kind::kNthDayOfWeek: {
      const int first = 1 + (value - DayOfWeek(month, 1) + 7) % 7;
      const int day = first + 7 * (nth - 1);
      if (day <= last) days.set(day);
      break;
    }
  }
  return days;
}

absl::StatusOr<Schedule> Schedule::Parse(absl::string_view text) {
  Schedule schedule;
  absl::string_view inner = text;
  if (absl::ConsumePrefix(&inner, "cron(") &&
      absl::ConsumeSuffix(&inner, ")")) {
    absl::StatusOr<Cron> cron = ParseCron(inner);
    if (!cron.ok()) return cron.status();
    schedule.cron_ = *cron;
    return schedule;
  }
  inner = text;
  if (absl::ConsumePrefix(&inner, "rate(") &&
      absl::ConsumeSuffix(&inner, ")")) {
    absl::StatusOr<absl::Duration> rate = ParseRate(inner);
    if (!rate.ok()) return rate.status();
    schedule.rate_ = *rate;
    return schedule;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a schedule is cron(...) or rate(...), and this is \"", text, "\""));
}

std::optional<absl::Time> Schedule::Next(absl::Time after,
                                         absl::Time anchor) const {
  if (cron_.has_value()) return NextCron(*cron_, after);
  if (after < anchor) return anchor + rate_;
  absl::Duration rest;
  const std::int64_t periods = absl::IDivDuration(after - anchor, rate_, &rest);
  return anchor + rate_ * (periods + 1);
}

}  // namespace byoshin::local::events
