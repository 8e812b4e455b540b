// The system's clock, for programs that run in real time.
//
//   time::RealClock clock;
//   Scheduler scheduler(clock);
//
// Deadlines are on the wall clock: a wait ends when the wall clock shows the
// deadline, even if the clock is set during the wait. If it is set forward past
// the deadline, the wait ends immediately; if it is set back, the wait lasts
// longer. The kernel implements this for waits until an absolute time of
// CLOCK_REALTIME, so there is no polling.
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
