// The Collector: for each message of the queue it asks the API about the
// message's window and stores the answer, once.
//
//   scheduler::Collector collector(
//       config, {.http_client = http_client, .table = table, .clock = clock,
//                .logger = logger});
//   absl::StatusOr<std::string> response = collector.Handle(invocation);
//   // {"batchItemFailures":[]}
#ifndef BYOSHIN_CORE_SCHEDULER_COLLECTOR_H_
#define BYOSHIN_CORE_SCHEDULER_COLLECTOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/http/client.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/scheduler/api_client.h"
#include "core/scheduler/config.h"
#include "core/scheduler/queue_event.h"
#include "core/scheduler/slot.h"
#include "core/time/clock.h"

namespace byoshin::scheduler {

// Not thread-safe. What it is given must outlive it.
//
// Metrics, one line a record: what came of it, how long the API took if it was
// asked, and, for a slot that was stored, how late it was (see lateness.h). A
// duplicate has no lateness: its slot was stored before.
class Collector final : public lambda::Handler {
 public:
  struct Dependencies {
    http::Client& http_client;
    aws::dynamodb::Client& table;
    const time::Clock& clock;
    log::Logger& logger;
  };

  Collector(CollectorConfig config, const Dependencies& dependencies);

  // Answers which messages failed and are to be delivered again. A message
  // whose slot is stored already is done. Those that the deadline leaves no
  // time for are reported as failed without being started.
  //
  // An error if the payload is not an SQS event; and, once all records are
  // through, if one that failed has no messageId to report it by: then all are
  // delivered again, and those stored are found to be duplicates.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  struct Outcome;

  Outcome Process(const QueueRecord& record, absl::Time limit);
  absl::Status Store(const Window& window, int64_t count, absl::Time limit);
  void Report(const QueueRecord& record, const Outcome& outcome);
  std::vector<log::Metric> MetricsOf(const QueueRecord& record,
                                     const Outcome& outcome) const;

  const CollectorConfig config_;
  const Dependencies dependencies_;
  ApiClient api_;
};

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_COLLECTOR_H_
