// The message in the queue: one window as JSON.
//
//   std::string body = scheduler::WriteMessage(window);
//   // {"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z"}
//   absl::StatusOr<Window> window = scheduler::ParseMessage(body);
#ifndef BYOSHIN_CORE_SCHEDULER_MESSAGE_H_
#define BYOSHIN_CORE_SCHEDULER_MESSAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/scheduler/slot.h"

namespace byoshin::scheduler {

// The window's ends must satisfy time::FitsIso8601.
std::string WriteMessage(const Window& window);

// InvalidArgument, with the field or the violated rule, if it is not JSON, has
// no window, or its window is not exactly one slot: empty or reversed, not on
// 5-second boundaries, longer or shorter.
absl::StatusOr<Window> ParseMessage(absl::string_view body);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_MESSAGE_H_
