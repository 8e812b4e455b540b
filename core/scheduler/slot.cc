#include "core/scheduler/slot.h"

#include <array>
#include <string>

#include "absl/time/time.h"
#include "core/time/floor.h"
#include "core/time/iso8601.h"

namespace byoshin::scheduler {
absl::Time FloorToSlot(absl::Time time) {
  return time::FloorTo(time, kSlotInterval);
}

absl::Time FloorToMinute(absl::Time time) {
  return time::FloorTo(time, absl::Minutes(1));
}

std::string CalculateSlotTime(absl::Time time) {
  return time::FormatIso8601(FloorToSlot(time));
}

bool IsSlotWindow(const Window& window) {
  // An infinite time passes every check but the first.
  return window.from < window.to && window.from == FloorToSlot(window.from) &&
         window.to == window.from + kSlotInterval;
}

std::array<Window, kSlotsPerMinute> WindowsOfMinute(absl::Time time,
                                                    absl::Duration lag) {
  std::array<Window, kSlotsPerMinute> windows;
  absl::Time from = FloorToSlot(FloorToMinute(time) - lag);
  for (Window& window : windows) {
    window = {from, from + kSlotInterval};
    from = window.to;
  }
  return windows;
}

}  // namespace byoshin::scheduler
