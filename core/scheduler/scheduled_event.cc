#include "core/scheduler/scheduled_event.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/json.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "proto/eventbridge.pb.h"

namespace byoshin::scheduler {
namespace {

constexpr char kWhat[] = "the event is not one of an EventBridge schedule: ";

}  // namespace

absl::StatusOr<absl::Time> ParseBaseTime(absl::string_view payload) {
  const absl::StatusOr<events::ScheduledEvent> event =
      json::FromJson<events::ScheduledEvent>(payload);
  if (!event.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kWhat, event.status().message()));
  }
  const absl::StatusOr<absl::Time> time = time::ParseIso8601(event->time());
  if (!time.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kWhat, "time: ", time.status().message()));
  }
  return FloorToMinute(*time);
}

}  // namespace byoshin::scheduler
