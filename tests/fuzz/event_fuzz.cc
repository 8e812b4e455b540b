// Tries what the functions read of their events on any bytes: the event of a
// schedule, the event of a queue, and the body of one of its messages.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/message.h"
#include "core/scheduler/queue_event.h"
#include "core/scheduler/scheduled_event.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"

namespace byoshin::scheduler {
namespace {

// No error carries a whole payload into the logs.
constexpr size_t kMaxErrorLength = 1000;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckRefused(const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument,
          "the error is InvalidArgument");
  Require(
      !status.message().empty() && status.message().size() <= kMaxErrorLength,
      "the error is neither empty nor long");
}

void CheckScheduledEvent(absl::string_view payload) {
  const absl::StatusOr<absl::Time> base = ParseBaseTime(payload);
  if (!base.ok()) return CheckRefused(base.status());
  Require(*base == FloorToMinute(*base), "the base time is a minute's");
  Require(time::FitsIso8601(*base), "the base time can be written");
}

void CheckWindow(const absl::StatusOr<Window>& window) {
  if (!window.ok()) return CheckRefused(window.status());
  Require(IsSlotWindow(*window), "a window is a slot");
  Require(time::FitsIso8601(window->from) && time::FitsIso8601(window->to),
          "a window can be written");
  const absl::StatusOr<Window> again = ParseMessage(WriteMessage(*window));
  Require(again.ok() && *again == *window, "a window can be read back");
}

void CheckQueueEvent(absl::string_view payload) {
  const absl::StatusOr<std::vector<QueueRecord>> records =
      ParseQueueEvent(payload);
  if (!records.ok()) return CheckRefused(records.status());
  for (const QueueRecord& record : *records) {
    CheckWindow(record.window);
    Require(!record.window.ok() || !record.message_id.empty(),
            "a record without a name is not accepted");
  }
}

}  // namespace
}  // namespace byoshin::scheduler

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  byoshin::scheduler::CheckScheduledEvent(input);
  byoshin::scheduler::CheckQueueEvent(input);
  byoshin::scheduler::CheckWindow(byoshin::scheduler::ParseMessage(input));
  return 0;
}
