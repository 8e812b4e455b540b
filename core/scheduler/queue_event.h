// Parses the Collector's SQS event.
//
//   absl::StatusOr<std::vector<scheduler::QueueRecord>> records =
//       scheduler::ParseQueueEvent(invocation.payload);
//   if (!records.ok()) return records.status();  // not an SQS event at all
//   for (const scheduler::QueueRecord& record : *records) {
//     if (!record.window.ok()) ...               // this one alone has failed
//   }
#ifndef BYOSHIN_CORE_SCHEDULER_QUEUE_EVENT_H_
#define BYOSHIN_CORE_SCHEDULER_QUEUE_EVENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/scheduler/slot.h"

namespace byoshin::scheduler {

struct QueueRecord {
  // Empty if there is none: then a failure can't be reported for this record
  // alone.
  std::string message_id;
  // SQS's receive count of the message; empty if unknown.
  std::string receive_count;
  // The message, or the error of the record.
  absl::StatusOr<Window> window;
};

// The records of an SQS event, in order. A malformed record does not affect the
// others. InvalidArgument if the payload has no list of records.
absl::StatusOr<std::vector<QueueRecord>> ParseQueueEvent(
    absl::string_view payload);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_QUEUE_EVENT_H_
