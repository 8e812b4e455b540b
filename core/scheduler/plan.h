// What the Sender has to send for one minute: one message a slot, each delayed
// until its slot begins.
//
//   absl::StatusOr<scheduler::Plan> plan =
//       scheduler::PlanMinute(event_time, /*lag=*/absl::ZeroDuration());
//   for (const scheduler::PlannedMessage& message : *plan) ...
//
// A pure function of the event's time, so that sending for the same event again
// gives the same messages.
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
  // How long the queue holds the message back, counted from the minute's start.
  absl::Duration delay;
};

using Plan = std::array<PlannedMessage, kSlotsPerMinute>;

// The messages of the minute that `time` lies in, their windows moved back by
// `lag` (see WindowsOfMinute). OutOfRange if a window would not lie in
// the years 0001 to 9999.
absl::StatusOr<Plan> PlanMinute(absl::Time time, absl::Duration lag);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_PLAN_H_
