// The messages that the Sender sends for a minute: one per slot, delayed until
// the slot begins.
//
//   absl::StatusOr<scheduler::Plan> plan =
//       scheduler::PlanMinute(event_time, /*lag=*/absl::ZeroDuration());
//   for (const scheduler::PlannedMessage& message : *plan) ...
//
// A pure function of the event's time, so that a repeated event gives the same
// messages.
#ifndef BYOSHIN_CORE_SCHEDULER_PLAN_H_
#define BYOSHIN_CORE_SCHEDULER_PLAN_H_

#include <array>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::scheduler {

struct PlannedMessage {
  // 0 to 11: which slot of the minute.
  int slot = 0;
  Window window;
  // The message's delay, counted from the minute's start.
  absl::Duration delay;
};

using Plan = std::array<PlannedMessage, kSlotsPerMinute>;

// The messages of the minute that `time` lies in, their windows moved back by
// `lag` (see WindowsOfMinute). OutOfRange if a window is not within the years
// 0001 to 9999.
absl::StatusOr<Plan> PlanMinute(absl::Time time, absl::Duration lag);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_PLAN_H_
