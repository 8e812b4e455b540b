// Passes messages from a queue to a function as soon as they are visible.
//
//   // On the executor's thread, as everything here:
//   absl::StatusOr<std::unique_ptr<EventSourceMapping>> mapping =
//       EventSourceMapping::Start({.loop = loop, .clock = clock,
//                                  .executor = executor, .queues = queues},
//                                 {.queue_arn = …, .function_arn = …});
//   (*mapping)->Begin();  // once the function is as it is to be
//
// Messages are received only when they can be executed, so that none counts as
// received while its function is at its limit. Messages that a function does
// not process stay in the queue and become visible again after its visibility
// timeout; the queue's redrive policy limits the number of receives.
//
// The order within a message group of a FIFO queue is kept: SQS returns no
// message of a group while one of its messages is in flight, so that a group is
// in one batch at a time, and stops until what failed is visible again. A batch
// may have messages of several groups, each in its order. As on AWS, it is up
// to a function that reports failures to report those after the first, too.
//
// https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
#ifndef BYOSHIN_LOCAL_LAMBDA_EVENT_SOURCE_MAPPING_H_
#define BYOSHIN_LOCAL_LAMBDA_EVENT_SOURCE_MAPPING_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/lambda/executor.h"
#include "local/lambda/function.h"
#include "local/logs/logs.h"
#include "local/queues/queues.h"
#include "local/store/loop_gate.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

// https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
struct MappingConfig {
  enum class State { kEnabled, kDisabled };
  enum class Responses { kIgnored, kReportBatchItemFailures };
  std::string uuid{};
  std::string queue_arn{};
  std::string function_arn{};
  int batch_size = 10;
  absl::Duration batching_window = absl::ZeroDuration();
  std::optional<int> max_concurrency{};
  Responses responses = Responses::kIgnored;
  State state = State::kEnabled;
  absl::Time last_modified = absl::UnixEpoch();
};

// InvalidParameterValueException if the configuration is invalid.
absl::Status CheckMapping(const MappingConfig& config);

// Not thread-safe: belongs to the loop's thread.
class EventSourceMapping {
 public:
  // All must outlive the mapping.
  struct World {
    WorkLoop& loop;
    // Leads to `loop`, for answers of queues.
    std::shared_ptr<LoopGate> gate;
    time::Clock& clock;
    Executor& executor;
    queues::QueueSource& queues;
    logs::Logs& logs;
    // Whether the function's role may receive from the queue now. May be null.
    std::function<absl::Status()> may_receive = nullptr;
    // Called when the function has returned, but has failed for some or all of
    // the messages. May be null.
    std::function<void()> on_partial_failure = nullptr;
    // Called when a receive that was in progress at Stop() has ended. May be
    // null.
    std::function<void()> on_idle = nullptr;
  };

  static absl::StatusOr<std::unique_ptr<EventSourceMapping>> Start(
      World world, MappingConfig config);

  EventSourceMapping(const EventSourceMapping&) = delete;
  EventSourceMapping& operator=(const EventSourceMapping&) = delete;
  // Calls Stop().
  ~EventSourceMapping();

  // Starts to receive. Not earlier, since a deployment may be about to change
  // the function, and a message that the previous function fails to process is
  // hidden until its visibility timeout. Calling it again has no effect.
  void Begin();

  // Stops receiving. Batches in progress are finished; messages that were
  // received but not started become visible again. Calling it again has no
  // effect.
  void Stop();

  // For the stop of the cloud: makes the messages of batches in progress
  // visible again, since their results will not be awaited. Then calls `done`,
  // on any thread, or immediately if there are none.
  void GiveBackBatches(std::function<void()> done);

  // Whether messages are being received or given back.
  bool receiving() const;

  const MappingConfig& config() const;

  // Looks for messages. Call it when the function has capacity again.
  void Pump();

 private:
  class Core;
  explicit EventSourceMapping(std::shared_ptr<Core> core);

  // Shared with batches in progress, which may outlive the mapping.
  std::shared_ptr<Core> core_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_EVENT_SOURCE_MAPPING_H_
