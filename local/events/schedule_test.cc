#include "local/events/schedule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "rapidcheck/gtest.h"

namespace byoshin::local::events {
namespace {

absl::Time At(const std::string& text) {
  absl::Time time;
  std::string error;
  EXPECT_TRUE(absl::ParseTime("%Y-%m-%d %H:%M", text, &time, &error)) << error;
  return time;
}

// The times at which it fires after `after`, at most `count`.
std::vector<std::string> NextOf(const std::string& expression,
                                const std::string& after, int count) {
  absl::StatusOr<Schedule> schedule = Schedule::Parse(expression);
  EXPECT_TRUE(schedule.ok()) << schedule.status();
  std::vector<std::string> times;
  absl::Time time = At(after);
  for (int i = 0; schedule.ok() && i < count; ++i) {
    const std::optional<absl::Time> next = schedule->Next(time, At(after));
    if (!next.has_value()) break;
    time = *next;
    times.push_back(
        absl::FormatTime("%Y-%m-%d %H:%M", time, absl::UTCTimeZone()));
  }
  return times;
}

using Times = std::vector<std::string>;

TEST(Schedule, FiresEveryMinuteOnTheMinute) {
  const absl::StatusOr<Schedule> schedule =
      Schedule::Parse("cron(* * * * ? *)");
  ASSERT_TRUE(schedule.ok());
  const absl::Time minute = At("2025-12-02 10:23");
  EXPECT_EQ(schedule->Next(minute, minute), minute + absl::Minutes(1));
  EXPECT_EQ(schedule->Next(minute - absl::Nanoseconds(1), minute), minute);
  EXPECT_EQ(schedule->Next(minute + absl::Seconds(59), minute),
            minute + absl::Minutes(1));
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
TEST(Schedule, UnderstandsTheExamplesOfTheDocumentation) {
  EXPECT_EQ(NextOf("cron(0 10 * * ? *)", "2025-12-31 10:00", 2),
            (Times{"2026-01-01 10:00", "2026-01-02 10:00"}));
  EXPECT_EQ(NextOf("cron(15 12 * * ? *)", "2025-12-02 00:00", 1),
            (Times{"2025-12-02 12:15"}));
  // Monday to Friday.
  EXPECT_EQ(NextOf("cron(0 18 ? * MON-FRI *)", "2025-12-05 18:00", 2),
            (Times{"2025-12-08 18:00", "2025-12-09 18:00"}));
  EXPECT_EQ(NextOf("cron(0 8 1 * ? *)", "2025-12-02 00:00", 2),
            (Times{"2026-01-01 08:00", "2026-02-01 08:00"}));
  EXPECT_EQ(
      NextOf("cron(0/15 * * * ? *)", "2025-12-02 10:16", 3),
      (Times{"2025-12-02 10:30", "2025-12-02 10:45", "2025-12-02 11:00"}));
  EXPECT_EQ(NextOf("cron(0/10 * ? * MON-FRI *)", "2025-12-05 23:50", 1),
            (Times{"2025-12-08 00:00"}));
  EXPECT_EQ(NextOf("cron(0/5 8-17 ? * MON-FRI *)", "2025-12-05 17:50", 2),
            (Times{"2025-12-05 17:55", "2025-12-08 08:00"}));
  EXPECT_EQ(
      NextOf("cron(0/30 20-2 ? * MON-FRI *)", "2025-12-05 02:00", 3),
      (Times{"2025-12-05 02:30", "2025-12-05 20:00", "2025-12-05 20:30"}));
}

TEST(Schedule, FindsLastNearestAndNthDays) {
  EXPECT_EQ(NextOf("cron(0 0 L * ? *)", "2028-01-31 00:00", 2),
            (Times{"2028-02-29 00:00", "2028-03-31 00:00"}));
  // 30 November 2025 is a Sunday.
  EXPECT_EQ(NextOf("cron(0 0 LW * ? *)", "2025-11-01 00:00", 1),
            (Times{"2025-11-28 00:00"}));
  // 1 November 2025 is a Saturday: not the Friday before, which is in October.
  EXPECT_EQ(NextOf("cron(0 0 1W * ? *)", "2025-10-31 00:00", 2),
            (Times{"2025-11-03 00:00", "2025-12-01 00:00"}));
  // 31 May 2026 is a Sunday: not the Monday after, which is in June.
  EXPECT_EQ(NextOf("cron(0 0 31W * ? *)", "2026-05-01 00:00", 2),
            (Times{"2026-05-29 00:00", "2026-07-31 00:00"}));
  // The second Tuesday.
  EXPECT_EQ(NextOf("cron(0 0 ? * 3#2 *)", "2025-12-01 00:00", 2),
            (Times{"2025-12-09 00:00", "2026-01-13 00:00"}));
  // Months without a fifth Tuesday are left out.
  EXPECT_EQ(NextOf("cron(0 0 ? * TUE#5 *)", "2025-12-01 00:00", 2),
            (Times{"2025-12-30 00:00", "2026-03-31 00:00"}));
  // The last Thursday.
  EXPECT_EQ(NextOf("cron(0 0 ? * 5L *)", "2025-12-01 00:00", 1),
            (Times{"2025-12-25 00:00"}));
  EXPECT_EQ(NextOf("cron(0 0 ? * L *)", "2025-12-01 00:00", 2),
            (Times{"2025-12-06 00:00", "2025-12-13 00:00"}));
}

TEST(Schedule, KnowsWhenItIsOver) {
  EXPECT_EQ(NextOf("cron(0 0 1 1 ? 2026)", "2025-01-01 00:00", 5),
            (Times{"2026-01-01 00:00"}));
  EXPECT_EQ(NextOf("cron(0 0 31 2 ? *)", "2025-01-01 00:00", 1), Times{});
  EXPECT_EQ(NextOf("cron(0 0 29 2 ? *)", "2096-03-01 00:00", 1),
            (Times{"2104-02-29 00:00"}));
}

TEST(Schedule, CountsARateFromItsAnchor) {
  EXPECT_EQ(NextOf("rate(5 minutes)", "2025-12-02 10:23", 2),
            (Times{"2025-12-02 10:28", "2025-12-02 10:33"}));
  EXPECT_EQ(NextOf("rate(1 hour)", "2025-12-02 10:23", 1),
            (Times{"2025-12-02 11:23"}));
  EXPECT_EQ(NextOf("rate(2 days)", "2025-12-02 10:23", 1),
            (Times{"2025-12-04 10:23"}));
  const absl::StatusOr<Schedule> schedule = Schedule::Parse("rate(1 minute)");
  const absl::Time anchor = At("2025-12-02 10:23");
  EXPECT_EQ(schedule->Next(anchor + absl::Seconds(61), anchor),
            anchor + absl::Minutes(2));
  EXPECT_EQ(schedule->Next(anchor - absl::Hours(1), anchor),
            anchor + absl::Minutes(1));
}

TEST(Schedule, RefusesWhatIsNotASchedule) {
  for (const char* text : {"",
                           "cron",
                           "cron()",
                           "cron(* * * * ? *",
                           "every minute",
                           "cron(* * * * *)",
                           "cron(* * * * ? * *)",
                           "cron(* * * * * *)",
                           "cron(* * ? * ? *)",
                           "cron(* * 1 * MON *)",
                           "cron(60 * * * ? *)",
                           "cron(* 24 * * ? *)",
                           "cron(* * 0 * ? *)",
                           "cron(* * 32 * ? *)",
                           "cron(* * * 13 ? *)",
                           "cron(* * * FOO ? *)",
                           "cron(* * ? * 8 *)",
                           "cron(* * ? * 0 *)",
                           "cron(* * ? * 3#6 *)",
                           "cron(* * ? * 3#1,6#3 *)",
                           "cron(* * * * ? 1969)",
                           "cron(* * * * ? 2200)",
                           "cron(*/0 * * * ? *)",
                           "cron(/5 * * * ? *)",
                           "cron(1, * * * ? *)",
                           "cron(1- * * * ? *)",
                           "cron(-1 * * * ? *)",
                           "cron(+1 * * * ? *)",
                           "cron(1-2-3 * * * ? *)",
                           "cron(? * * * ? *)",
                           "cron(* * * * ? 2030-2020)",
                           "cron(* * W * ? *)",
                           "rate(0 minutes)",
                           "rate(1 minutes)",
                           "rate(5 minute)",
                           "rate(-1 minutes)",
                           "rate(5)",
                           "rate(5 seconds)",
                           "rate(5minutes)"}) {
    EXPECT_FALSE(Schedule::Parse(text).ok()) << text;
  }
}

// A field of a random expression, and the values that it stands for.
struct RandomField {
  std::string text;
  std::set<int> values;
};

RandomField AnyField(int min, int max) {
  if (*rc::gen::inRange(0, 3) == 0) {
    RandomField all{"*", {}};
    for (int value = min; value <= max; ++value) all.values.insert(value);
    return all;
  }
  RandomField field;
  std::vector<std::string> elements;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    const int first = *rc::gen::inRange(min, max + 1);
    const int last = *rc::gen::inRange(first, max + 1);
    const int step = *rc::gen::inRange(1, 20);
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        elements.push_back(absl::StrCat(first));
        field.values.insert(first);
        break;
      case 1:
        elements.push_back(absl::StrCat(first, "-", last));
        for (int v = first; v <= last; ++v) field.values.insert(v);
        break;
      default:
        elements.push_back(absl::StrCat(first, "/", std::min(step, max)));
        for (int v = first; v <= max; v += std::min(step, max)) {
          field.values.insert(v);
        }
    }
  }
  field.text = absl::StrJoin(elements, ",");
  return field;
}

// What a day must be like: by counting, day by day, not by calculating.
struct RandomDays {
  std::string day_of_month = "?";
  std::string day_of_week = "?";
  enum class Kind { kMonth, kWeek, kLast, kLastOfWeek, kNth } kind;
  std::set<int> values{};
  int nth = 0;
};

int WeekdayOf(absl::CivilDay day) {
  return (static_cast<int>(absl::GetWeekday(day)) + 1) % 7 + 1;
}

RandomDays AnyDays() {
  RandomDays days;
  switch (*rc::gen::inRange(0, 5)) {
    case 0: {
      const RandomField field = AnyField(1, 31);
      days.kind = RandomDays::Kind::kMonth;
      days.day_of_month = field.text;
      days.values = field.values;
      break;
    }
    case 1: {
      const RandomField field = AnyField(1, 7);
      days.kind = RandomDays::Kind::kWeek;
      days.day_of_week = field.text;
      days.values = field.values;
      break;
    }
    case 2:
      days.kind = RandomDays::Kind::kLast;
      days.day_of_month = "L";
      break;
    case 3: {
      const int weekday = *rc::gen::inRange(1, 8);
      days.kind = RandomDays::Kind::kLastOfWeek;
      days.day_of_week = absl::StrCat(weekday, "L");
      days.values = {weekday};
      break;
    }
    default: {
      const int weekday = *rc::gen::inRange(1, 8);
      days.kind = RandomDays::Kind::kNth;
      days.nth = *rc::gen::inRange(1, 6);
      days.day_of_week = absl::StrCat(weekday, "#", days.nth);
      days.values = {weekday};
    }
  }
  return days;
}

bool Matches(const RandomDays& days, absl::CivilDay day) {
  const auto in_month = [&](absl::CivilDay other) {
    return other.month() == day.month();
  };
  switch (days.kind) {
    case RandomDays::Kind::kMonth:
      return days.values.contains(day.day());
    case RandomDays::Kind::kWeek:
      return days.values.contains(WeekdayOf(day));
    case RandomDays::Kind::kLast:
      return !in_month(day + 1);
    case RandomDays::Kind::kLastOfWeek:
      return days.values.contains(WeekdayOf(day)) && !in_month(day + 7);
    case RandomDays::Kind::kNth:
      break;
  }
  if (!days.values.contains(WeekdayOf(day))) return false;
  int nth = 0;
  for (absl::CivilDay same = day; in_month(same); same -= 7) ++nth;
  return nth == days.nth;
}

RC_GTEST_PROP(ScheduleProperty, AgreesWithSteppingMinuteByMinute, ()) {
  const RandomField minutes = AnyField(0, 59);
  const RandomField hours = AnyField(0, 23);
  const RandomField months = AnyField(1, 12);
  const RandomDays days = AnyDays();
  const std::string text =
      absl::StrCat("cron(", minutes.text, " ", hours.text, " ",
                   absl::StrCat(days.day_of_month, " ", months.text, " ",
                                days.day_of_week, " *)"));
  const absl::StatusOr<Schedule> schedule = Schedule::Parse(text);
  RC_LOG() << text << "\n";
  RC_ASSERT(schedule.ok());
  // Any second from 1970 to 2100.
  const absl::Time after =
      absl::FromUnixSeconds(*rc::gen::inRange<int64_t>(0, 4102444800));
  const std::optional<absl::Time> next = schedule->Next(after, after);

  constexpr int kMinutes = 40 * 24 * 60;
  std::optional<absl::Time> expected;
  absl::CivilMinute minute =
      absl::ToCivilMinute(after, absl::UTCTimeZone()) + 1;
  for (int i = 0; i < kMinutes && !expected.has_value(); ++i, ++minute) {
    if (minutes.values.contains(minute.minute()) &&
        hours.values.contains(minute.hour()) &&
        months.values.contains(minute.month()) &&
        Matches(days, absl::CivilDay(minute))) {
      expected = absl::FromCivil(minute, absl::UTCTimeZone());
    }
  }
  if (expected.has_value()) {
    RC_ASSERT(next == expected);
  } else {
    RC_ASSERT(!next.has_value() || *next > after + absl::Minutes(kMinutes));
  }
}

}  // namespace
}  // namespace byoshin::local::events
