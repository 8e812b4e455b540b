// What the Collector reads of the event that its queue starts it with.
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
  // Empty if there is none: then a failure of this record cannot be reported
  // for it alone.
  std::string message_id;
  // How often the message was delivered, as SQS counts it; empty if unknown.
  std::string receive_count;
  // What the message asks for, or what is wrong with the record.
  absl::StatusOr<Window> window;
};

// The records of an SQS event, in order, each read for itself: one that is
// malformed does not touch the others. InvalidArgument where the payload has no
// list of records.
absl::StatusOr<std::vector<QueueRecord>> ParseQueueEvent(
    absl::string_view payload);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_QUEUE_EVENT_H_
