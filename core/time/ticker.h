// Calls back at a fixed interval, half an interval after each multiple of it:
// what begins at the multiples is over by then, unless something is wrong.
//
//   time::Ticker ticker(clock, absl::Seconds(5), [&](absl::Time now) { ... });
#ifndef BYOSHIN_CORE_TIME_TICKER_H_
#define BYOSHIN_CORE_TIME_TICKER_H_

#include <functional>
#include <memory>
#include <thread>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::time {

// The first time after `now` that lies in the middle between two multiples of
// `interval` since the epoch.
absl::Time NextTick(absl::Time now, absl::Duration interval);

// Thread-safe.
class Ticker {
 public:
  // `tick` is called on an internal thread with the clock's time. Simulated
  // time stands still meanwhile, so it must be quick. If the clock jumps, the
  // ticks that it skips are not made up for.
  Ticker(Clock& clock, absl::Duration interval,
         std::function<void(absl::Time now)> tick);
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  // Waits for the call under way.
  ~Ticker();

 private:
  Clock& clock_;
  const absl::Duration interval_;
  const std::function<void(absl::Time now)> tick_;
  const std::unique_ptr<Wakeup> wakeup_;
  std::thread thread_;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_TICKER_H_
