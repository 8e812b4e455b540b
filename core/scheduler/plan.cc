#include "core/scheduler/plan.h"

#include <array>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"

namespace byoshin::scheduler {

absl::StatusOr<Plan> PlanMinute(absl::Time time, absl::Duration lag) {
  const std::array<Window, kSlotsPerMinute> windows =
      WindowsOfMinute(time, lag);
  if (!time::FitsIso8601(windows.front().from) ||
      !time::FitsIso8601(windows.back().to)) {
    return absl::OutOfRangeError(
        absl::StrCat("the windows of the minute of ", time::FormatIso8601(time),
                     ", moved back by ", absl::FormatDuration(lag),
                     ", are not within the years 0001 to 9999"));
  }
  Plan plan;
  for (int slot = 0; slot < kSlotsPerMinute; ++slot) {
    plan[slot] = {
        .slot = slot, .window = windows[slot], .delay = slot * kSlotInterval};
  }
  return plan;
}

}  // namespace byoshin::scheduler
