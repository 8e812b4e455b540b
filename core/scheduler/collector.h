// The Collector: for each message of the queue, asks the API about the
// message's window and stores the answer once.
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

// Not thread-safe. Its dependencies must outlive it.
//
// Writes one line of metrics per record: its outcome, the API's latency if it
// was called, and the lateness of a stored slot (see lateness.h). A duplicate
// has no lateness: its slot was stored before.
class Collector final : public lambda::Handler {
 public:
  struct Dependencies {
    http::Client& http_client;
    aws::dynamodb::Client& table;
    const time::Clock& clock;
    log::Logger& logger;
  };

  Collector(CollectorConfig config, const Dependencies& dependencies);

  // Returns the messages that failed and are to be delivered again. A message
  // whose slot is already stored succeeds. Messages for which no time is left
  // before the deadline are reported as failed without being started.
  //
  // An error if the payload is not an SQS event, and, after all records are
  // processed, if one that failed has no messageId: then all are delivered
  // again, and those stored are duplicates.
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
