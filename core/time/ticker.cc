#include "core/time/ticker.h"

#include <functional>
#include <utility>

#include "absl/time/time.h"
#include "core/time/clock.h"
#include "core/time/floor.h"

namespace byoshin::time {

absl::Time NextTick(absl::Time now, absl::Duration interval) {
  const absl::Duration middle = interval / 2;
  return FloorTo(now - middle, interval) + interval + middle;
}

Ticker::Ticker(Clock& clock, absl::Duration interval,
               std::function<void(absl::Time now)> tick)
    : clock_(clock),
      interval_(interval),
      tick_(std::move(tick)),
      wakeup_(clock.NewWakeup()) {
  thread_ = std::thread([this] {
    while (wakeup_->WaitUntil(NextTick(clock_.Now(), interval_)) !=
           WaitResult::kCancelled) {
      tick_(clock_.Now());
    }
  });
}

Ticker::~Ticker() {
  wakeup_->Cancel();
  thread_.join();
}

}  // namespace byoshin::time
