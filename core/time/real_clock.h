// The system's clock, for programs that run in real time.
//
//   time::RealClock clock;
//   Scheduler scheduler(clock);
//
// Deadlines are points on the wall clock and stay so: a wait ends when the wall
// clock shows the deadline, even if it is set while the wait is under way. Set
// forward past the deadline, the wait ends at once; set back, it lasts longer.
// This is what the kernel does for a sleep until an absolute time of
// CLOCK_REALTIME, so nothing here polls, and a wait is only as late as the
// kernel's timers and scheduler make it.
#ifndef BYOSHIN_CORE_TIME_REAL_CLOCK_H_
#define BYOSHIN_CORE_TIME_REAL_CLOCK_H_

#include <memory>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe.
class RealClock final : public Clock {
 public:
  absl::Time Now() const override;
  std::unique_ptr<Wakeup> NewWakeup() override;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_REAL_CLOCK_H_
