// Slots: 5-second intervals, aligned to the minute.
//
//   // A record is filed under the slot its window starts in.
//   scheduler::CalculateSlotTime(t);  // 10:23:07.25 -> "2025-12-02T10:23:05Z"
//
//   // What one run of the schedule has to collect.
//   for (const scheduler::Window& window :
//        scheduler::WindowsOfMinute(event_time)) {
//     Send(window.from, window.to);
//   }
//
// Slots are counted from the Unix epoch. 5 divides 60 and UTC has no leap
// seconds here, so that is the same as counting from the start of each minute.
#ifndef BYOSHIN_CORE_SCHEDULER_SLOT_H_
#define BYOSHIN_CORE_SCHEDULER_SLOT_H_

#include <array>
#include <string>

#include "absl/time/time.h"

namespace byoshin::scheduler {

inline constexpr absl::Duration kSlotInterval = absl::Seconds(5);
inline constexpr int kSlotsPerMinute = 12;

// The start of the slot, or of the minute, that `time` lies in. Both round
// towards the past, also before 1970, and return an infinite time unchanged.
absl::Time FloorToSlot(absl::Time time);
absl::Time FloorToMinute(absl::Time time);

// The start of the slot that `time` lies in, as FormatIso8601 writes it: the
// `slotTime` of a record.
std::string CalculateSlotTime(absl::Time time);

// The half-open span of time [from, to).
struct Window {
  absl::Time from;
  absl::Time to;

  friend bool operator==(const Window&, const Window&) = default;
};

// True if `window` is exactly one slot: it starts on a slot boundary and ends
// on the next.
bool IsSlotWindow(const Window& window);

// The slots of the minute that `time` lies in, in order and without gaps.
//
// `lag` moves all of them back, so that an API can be asked about windows that
// are over. A lag between two multiples of kSlotInterval is rounded up, so that
// the windows remain slots.
std::array<Window, kSlotsPerMinute> WindowsOfMinute(
    absl::Time time, absl::Duration lag = absl::ZeroDuration());

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_SLOT_H_
