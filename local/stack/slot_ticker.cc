#include "local/stack/slot_ticker.h"

#include <functional>
#include <utility>

#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::local::stack {

absl::Time NextTick(absl::Time now) {
  const absl::Duration middle = scheduler::kSlotInterval / 2;
  return scheduler::FloorToSlot(now - middle) + scheduler::kSlotInterval +
         middle;
}

SlotTicker::SlotTicker(time::Clock& clock,
                       std::function<void(absl::Time now)> tick)
    : clock_(clock), tick_(std::move(tick)), wakeup_(clock.NewWakeup()) {
  thread_ = std::thread([this] {
    while (wakeup_->WaitUntil(NextTick(clock_.Now())) !=
           time::WaitResult::kCancelled) {
      tick_(clock_.Now());
    }
  });
}

SlotTicker::~SlotTicker() {
  wakeup_->Cancel();
  thread_.join();
}

}  // namespace byoshin::local::stack
