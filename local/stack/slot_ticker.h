// Calls back once a slot, in its middle: what begins at a slot's start is over
// by then, unless something is wrong.
//
//   SlotTicker ticker(clock, [&](absl::Time now) { ... });
#ifndef BYOSHIN_LOCAL_STACK_SLOT_TICKER_H_
#define BYOSHIN_LOCAL_STACK_SLOT_TICKER_H_

#include <functional>
#include <memory>
#include <thread>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::local::stack {

// The first middle of a slot after `now`.
absl::Time NextTick(absl::Time now);

// Thread-safe.
class SlotTicker {
 public:
  // `tick` is called on an internal thread with the clock's time. Simulated
  // time stands still meanwhile, so it must be quick. If the clock jumps, the
  // ticks passed over are left out.
  SlotTicker(time::Clock& clock, std::function<void(absl::Time now)> tick);
  SlotTicker(const SlotTicker&) = delete;
  SlotTicker& operator=(const SlotTicker&) = delete;
  // Waits for the call under way.
  ~SlotTicker();

 private:
  time::Clock& clock_;
  const std::function<void(absl::Time now)> tick_;
  const std::unique_ptr<time::Wakeup> wakeup_;
  std::thread thread_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_SLOT_TICKER_H_
