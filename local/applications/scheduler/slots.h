// The slots of the tests: Slot(0) is where a series begins.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOTS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOTS_H_

#include <cstdint>

#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::local::applications {

inline const absl::Time kStart = absl::FromUnixSeconds(1764633600);

inline absl::Time Slot(std::int64_t i) {
  return kStart + i * scheduler::kSlotInterval;
}

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOTS_H_
