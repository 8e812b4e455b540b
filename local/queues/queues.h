// Queues as Lambda and EventBridge see them: where mappings take messages from,
// and where failed events are put. local/lambda/sqs_queues.h implements them on
// the local SQS, testing/fake_queues.h in memory.
#ifndef BYOSHIN_LOCAL_QUEUES_QUEUES_H_
#define BYOSHIN_LOCAL_QUEUES_QUEUES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace byoshin::local::queues {

struct QueueMessageAttribute {
  std::string name{};
  std::string data_type{};  // "String", "Number.int", "Binary"
  // The bytes, for Binary.
  std::string value{};
};

// As ReceiveMessage gives it, with all attributes.
struct QueueMessage {
  std::string id{};
  std::string receipt_handle{};
  std::string body{};
  std::string md5_of_body{};
  // "ApproximateReceiveCount" and so on.
  std::map<std::string, std::string> attributes{};
  std::vector<QueueMessageAttribute> message_attributes{};
};

// On the simulated clock, an implementation that hands work to another thread
// wakes that thread before it returns, so that no time passes in between.
//
// Thread-safe.
class QueueSource {
 public:
  // Never 0.
  using WatchId = std::uint64_t;

  virtual ~QueueSource() = default;

  // Calls `available` whenever a message of the queue may have become visible,
  // at that very time: sent, its delay over, its visibility time-out over. Too
  // often is harmless, and so is once more after Unwatch(). Also once, soon, if
  // there are some already. It does not block, and is not called from within
  // Watch(). NotFound if there can be no such queue.
  virtual absl::StatusOr<WatchId> Watch(const std::string& queue_arn,
                                        std::function<void()> available) = 0;
  virtual void Unwatch(WatchId id) = 0;

  // Receives at most `max_messages` (1 to 10), at once, with the queue's own
  // visibility time-out. `done` gets none if none is visible. It is called on
  // any thread but not from within the call, and must not block; so below.
  virtual void Receive(
      const std::string& queue_arn, int max_messages,
      std::function<void(absl::StatusOr<std::vector<QueueMessage>>)> done) = 0;

  virtual void Delete(const std::string& queue_arn,
                      std::vector<std::string> receipt_handles,
                      std::function<void(absl::Status)> done) = 0;

  // Makes messages that were received visible at once, instead of after their
  // visibility time-out.
  virtual void GiveBack(const std::string& queue_arn,
                        std::vector<std::string> receipt_handles,
                        std::function<void(absl::Status)> done) = 0;
};

// Thread-safe.
class QueueSink {
 public:
  virtual ~QueueSink() = default;

  // `done` is called on any thread, when the message is safe in the queue.
  virtual void Send(const std::string& queue_arn, std::string body,
                    std::vector<QueueMessageAttribute> attributes,
                    std::function<void(absl::Status)> done) = 0;
};

}  // namespace byoshin::local::queues

#endif  // BYOSHIN_LOCAL_QUEUES_QUEUES_H_
