#include "core/scheduler/lateness.h"

#include <algorithm>

#include "absl/time/time.h"

namespace byoshin::scheduler {

absl::Time DueTime(const LaggedSlot& slot) {
  return slot.slot + slot.window_lag;
}

absl::Duration Lateness(const LaggedSlot& slot, absl::Time stored) {
  return std::max(stored - DueTime(slot), absl::ZeroDuration());
}

}  // namespace byoshin::scheduler
