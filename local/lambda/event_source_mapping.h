// Moves messages from a queue to a function, the moment they are visible.
//
//   // On the executor's thread, as everything here:
//   absl::StatusOr<std::unique_ptr<EventSourceMapping>> mapping =
//       EventSourceMapping::Start({.loop = loop, .clock = clock,
//                                  .executor = executor, .queues = queues},
//                                 {.queue_arn = …, .function_arn = …});
//   (*mapping)->Begin();  // once the function is as it is to be
//
// Nothing is received that could not be executed at once, so that no message
// counts as received while its function is at its limit. What a function does
// not take stays in the queue, and is visible again after the queue's
// visibility time-out; after how many receives it is given up is the queue's
// own business.
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

// What the configuration may say; InvalidParameterValueException if it says
// something else.
absl::Status CheckMapping(const MappingConfig& config);

// Not thread-safe: belongs to the loop's thread.
class EventSourceMapping {
 public:
  // All outlive the mapping.
  struct World {
    WorkLoop& loop;
    // To `loop`, for answers of queues.
    std::shared_ptr<LoopGate> gate;
    time::Clock& clock;
    Executor& executor;
    queues::QueueSource& queues;
    logs::Logs& logs;
    // Called when a receive that was under way at Stop() has ended.
    // May be null.
    std::function<void()> on_idle = nullptr;
  };

  static absl::StatusOr<std::unique_ptr<EventSourceMapping>> Start(
      World world, MappingConfig config);

  EventSourceMapping(const EventSourceMapping&) = delete;
  EventSourceMapping& operator=(const EventSourceMapping&) = delete;
  // As Stop().
  ~EventSourceMapping();

  // Nothing is received before: what a cloud starts with again may be about to
  // change, and a message that the function of before fails with is hidden
  // until its visibility time-out. Calling it again is harmless.
  void Begin();

  // Receives no more. Batches under way are finished; what has been received
  // and not begun is given back. Calling it again is harmless.
  void Stop();

  // For the end of all: makes the messages of batches under way visible again
  // at once, since nobody will wait for how they went. `done` is called when
  // they are, on any thread, or at once if there are none.
  void GiveBackBatches(std::function<void()> done);

  // Whether messages are just being received, or given back after that.
  bool receiving() const;

  const MappingConfig& config() const;

  // Looks for messages; to be called when the function has capacity again.
  void Pump();

 private:
  class Core;
  explicit EventSourceMapping(std::shared_ptr<Core> core);

  // Shared with what is under way, which may outlive the mapping.
  std::shared_ptr<Core> core_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_EVENT_SOURCE_MAPPING_H_
