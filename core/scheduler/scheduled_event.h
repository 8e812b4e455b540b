// Parses the Sender's EventBridge event.
//
//   absl::StatusOr<absl::Time> base =
//       scheduler::ParseBaseTime(R"({"time":"2025-12-02T10:23:41Z"})");
//   // 10:23:00
#ifndef BYOSHIN_CORE_SCHEDULER_SCHEDULED_EVENT_H_
#define BYOSHIN_CORE_SCHEDULER_SCHEDULED_EVENT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::scheduler {

// The event's `time`, floored to the minute. The clock has no effect on it:
// EventBridge invokes the function at any second of the minute, sometimes in
// the next one, and sometimes twice. InvalidArgument, naming the field, if the
// payload is not such an event.
absl::StatusOr<absl::Time> ParseBaseTime(absl::string_view payload);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_SCHEDULED_EVENT_H_
