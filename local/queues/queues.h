// Queues as Lambda and EventBridge use them: the sources of mappings, and the
// destinations of failed events. local/lambda/sqs_queues.h implements them on
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
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::queues {

// Whether this is the ARN of a FIFO queue, whose names alone end so.
inline bool IsFifoQueue(absl::string_view queue_arn) {
  return absl::StartsWith(queue_arn, "arn:aws:sqs:") &&
         absl::EndsWith(queue_arn, ".fifo");
}

struct QueueMessageAttribute {
  std::string name{};
  std::string data_type{};  // "String", "Number.int", "Binary"
  // The bytes, for Binary.
  std::string value{};
};

// As ReceiveMessage returns it, with all attributes.
struct QueueMessage {
  std::string id{};
  std::string receipt_handle{};
  std::string body{};
  std::string md5_of_body{};
  // "ApproximateReceiveCount" and so on.
  std::map<std::string, std::string> attributes{};
  std::vector<QueueMessageAttribute> message_attributes{};
};

// As SendMessage takes it.
struct OutgoingMessage {
  std::string body{};
  std::vector<QueueMessageAttribute> attributes{};
  // The message group, which a FIFO queue requires; empty for none.
  std::string group_id{};
};

// On a simulated clock, an implementation that passes work to another thread
// wakes that thread before it returns, so that no time passes in between.
//
// Thread-safe.
class QueueSource {
 public:
  // Never 0.
  using WatchId = std::uint64_t;

  virtual ~QueueSource() = default;

  // Calls `available` whenever a message of the queue may have become visible:
  // when it is sent, its delay ends or its visibility timeout ends. Also calls
  // it once, soon, if messages are visible already. Extra calls are possible,
  // and one more after Unwatch(). `available` must not block, and is not called
  // from within Watch(). NotFound if there can be no such queue.
  virtual absl::StatusOr<WatchId> Watch(const std::string& queue_arn,
                                        std::function<void()> available) = 0;
  virtual void Unwatch(WatchId id) = 0;

  // Receives up to `max_messages` (1 to 10), without waiting, with the queue's
  // own visibility timeout. `done` gets an empty list if none is visible. Here
  // and below, `done` is called on any thread, not from within the call, and
  // must not block.
  virtual void Receive(
      const std::string& queue_arn, int max_messages,
      std::function<void(absl::StatusOr<std::vector<QueueMessage>>)> done) = 0;

  virtual void Delete(const std::string& queue_arn,
                      std::vector<std::string> receipt_handles,
                      std::function<void(absl::Status)> done) = 0;

  // Makes received messages visible immediately instead of after their
  // visibility timeout.
  virtual void GiveBack(const std::string& queue_arn,
                        std::vector<std::string> receipt_handles,
                        std::function<void(absl::Status)> done) = 0;
};

// Thread-safe.
class QueueSink {
 public:
  virtual ~QueueSink() = default;

  // `done` is called on any thread, when the message is stored durably.
  virtual void Send(const std::string& queue_arn, OutgoingMessage message,
                    std::function<void(absl::Status)> done) = 0;
};

}  // namespace byoshin::local::queues

#endif  // BYOSHIN_LOCAL_QUEUES_QUEUES_H_
