#include "core/scheduler/message.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/json.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "proto/scheduler.pb.h"

namespace byoshin::scheduler {
namespace {

absl::StatusOr<absl::Time> ParseField(absl::string_view name,
                                      absl::string_view text) {
  absl::StatusOr<absl::Time> time = time::ParseIso8601(text);
  if (time.ok()) return time;
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": ", time.status().message()));
}

absl::Status CheckIsSlot(const Window& window, const ScheduleMessage& message) {
  if (window.from >= window.to) {
    return absl::InvalidArgumentError(absl::StrCat(
        "from ", message.from(), " is not before to ", message.to()));
  }
  if (window.from != FloorToSlot(window.from)) {
    return absl::InvalidArgumentError(
        absl::StrCat("from ", message.from(), " is not on a ",
                     absl::FormatDuration(kSlotInterval), " boundary"));
  }
  if (!IsSlotWindow(window)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the window from ", message.from(), " to ", message.to(),
                     " is ", absl::FormatDuration(window.to - window.from),
                     " long, not ", absl::FormatDuration(kSlotInterval)));
  }
  return absl::OkStatus();
}

}  // namespace

std::string WriteMessage(const Window& window) {
  ScheduleMessage message;
  message.set_from(time::FormatIso8601(window.from));
  message.set_to(time::FormatIso8601(window.to));
  return json::ToJson(message);
}

absl::StatusOr<Window> ParseMessage(absl::string_view body) {
  const absl::StatusOr<ScheduleMessage> message =
      json::FromJson<ScheduleMessage>(body);
  if (!message.ok()) return message.status();
  const absl::StatusOr<absl::Time> from =
      ParseField(kFromParameter, message->from());
  if (!from.ok()) return from.status();
  const absl::StatusOr<absl::Time> to = ParseField(kToParameter, message->to());
  if (!to.ok()) return to.status();

  const Window window = {*from, *to};
  absl::Status status = CheckIsSlot(window, *message);
  if (!status.ok()) return status;
  return window;
}

}  // namespace byoshin::scheduler
