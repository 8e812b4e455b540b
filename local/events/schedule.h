// When a rule fires: cron(...) and rate(...) as EventBridge documents them.
//
//   absl::StatusOr<Schedule> schedule =
//       Schedule::Parse("cron(0/5 8-17 ? * MON-FRI *)");
//   std::optional<absl::Time> next = schedule->Next(now, anchor);
//
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
#ifndef BYOSHIN_LOCAL_EVENTS_SCHEDULE_H_
#define BYOSHIN_LOCAL_EVENTS_SCHEDULE_H_

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace byoshin::local::events {

inline constexpr int kFirstCronYear = 1970;
inline constexpr int kLastCronYear = 2199;

// Days of a month: bit d for day d.
using DaySet = std::bitset<32>;

// The days of a cron expression, which depend on the month.
struct CronDays {
  enum class Kind {
    kDaysOfMonth,     // `set`: "1,15", "*"
    kLastDay,         // "L" of the day-of-month
    kLastWeekday,     // "LW": the last day from Monday to Friday
    kNearestWeekday,  // `value`W
    kDaysOfWeek,      // `set`, 1 for Sunday: "2-6"
    kLastDayOfWeek,   // `value`L: the last of the month
    kNthDayOfWeek,    // `value`#`nth`
  };
  Kind kind = Kind::kDaysOfMonth;
  DaySet set{};
  int value = 0;
  int nth = 0;

  DaySet In(absl::CivilMonth month) const;
};

struct Cron {
  std::bitset<60> minutes{};
  std::bitset<24> hours{};
  std::bitset<13> months{};  // 1 to 12
  std::bitset<kLastCronYear - kFirstCronYear + 1> years{};
  CronDays days{};
};

// A value.
class Schedule {
 public:
  // InvalidArgument names the invalid field and the reason.
  static absl::StatusOr<Schedule> Parse(absl::string_view text);

  // The first time after `after` at which it fires; nullopt if it never fires
  // again. A rate counts from `anchor`, the time when the rule was created.
  std::optional<absl::Time> Next(absl::Time after, absl::Time anchor) const;

 private:
  std::optional<Cron> cron_;
  absl::Duration rate_;  // if there is no cron_
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_SCHEDULE_H_
