// When a slot is due, and how late its record is, for the Collector's metric,
// the dashboard, `byoshin up` and `byoshin simulate`.
//
//   scheduler::Lateness({.slot = window.from, .window_lag = config.window_lag},
//                       /*stored=*/clock.Now());
#ifndef BYOSHIN_CORE_SCHEDULER_LATENESS_H_
#define BYOSHIN_CORE_SCHEDULER_LATENESS_H_

#include "absl/time/time.h"

namespace byoshin::scheduler {

struct LaggedSlot {
  // The start of the slot's window.
  absl::Time slot;
  // The lag that its message was sent with: see SenderConfig.
  absl::Duration window_lag = absl::ZeroDuration();
};

// When the slot's message becomes visible in the queue.
absl::Time DueTime(const LaggedSlot& slot);

// The time from when the slot is due until its record is stored. Never
// negative, even if clocks differ or the lag was changed while messages were in
// the queue.
absl::Duration Lateness(const LaggedSlot& slot, absl::Time stored);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_LATENESS_H_
