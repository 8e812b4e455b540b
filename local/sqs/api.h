// The requests and results of SQS's operations, independent of the protocol.
// Names are those of AWS's API.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_Operations.html
#ifndef BYOSHIN_LOCAL_SQS_API_H_
#define BYOSHIN_LOCAL_SQS_API_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

struct CreateQueueRequest {
  QueueAddress queue{};
  StringMap attributes{};
  StringMap tags{};
};

struct SetQueueAttributesRequest {
  QueueAddress queue{};
  StringMap attributes{};
};

struct GetQueueAttributesRequest {
  QueueAddress queue{};
  std::vector<std::string> names{};
};

struct ListQueuesRequest {
  std::string region{};
  std::string prefix{};
  std::optional<int64_t> max_results{};
  std::string next_token{};
};

struct ListDeadLetterSourceQueuesRequest {
  QueueAddress queue{};
  std::optional<int64_t> max_results{};
  std::string next_token{};
};

struct QueueList {
  std::vector<QueueAddress> queues{};
  std::string next_token{};  // empty if there are no more
};

// What AddPermission grants.
struct Permission {
  std::string label{};
  std::vector<std::string> account_ids{};
  std::vector<std::string> actions{};  // "SendMessage"
};

struct TagQueueRequest {
  QueueAddress queue{};
  StringMap tags{};
};

struct UntagQueueRequest {
  QueueAddress queue{};
  std::vector<std::string> keys{};
};

struct SendMessageRequest {
  QueueAddress queue{};
  PreparedMessage message{};
};

struct SendMessageResult {
  std::string message_id{};
  std::string md5_of_body{};
  std::string md5_of_attributes{};
  std::string md5_of_system_attributes{};
  std::string sequence_number{};  // empty except in FIFO queues
};

// An entry of a batch, or its error.
template <typename T>
struct BatchEntry {
  std::string id{};
  absl::StatusOr<T> value;
};

// The result of each entry, in the order of the request.
template <typename T>
using BatchResult = std::vector<BatchEntry<T>>;

// For operations without a result.
struct Nothing {};

struct SendMessageBatchRequest {
  QueueAddress queue{};
  std::vector<BatchEntry<PreparedMessage>> entries{};
};

struct ReceiveMessageRequest {
  QueueAddress queue{};
  int max_messages = 1;
  // The queue's own if not set.
  std::optional<absl::Duration> visibility_timeout{};
  std::optional<absl::Duration> wait{};
  // For FIFO queues: the same ID again returns the same messages.
  std::optional<std::string> attempt_id{};
  // Whether the receiver is still connected; messages are given only to one
  // that is. Never null.
  std::function<bool()> connected = [] { return true; };
  // Called if the receiver has to wait: it no longer holds simulated time.
  // Never null.
  std::function<void()> let_time_pass = [] {};
};

struct ReceivedMessage {
  std::string receipt_handle{};
  StoredMessage message{};
  int64_t receives = 0;
  absl::Time first_received_at{};
};

using ReceiveResult = absl::StatusOr<std::vector<ReceivedMessage>>;
using ReceiveCallback = std::function<void(const ReceiveResult& result)>;

struct DeleteMessageBatchRequest {
  QueueAddress queue{};
  std::vector<BatchEntry<std::string>> entries{};  // receipt handles
};

struct VisibilityChange {
  std::string receipt_handle{};
  absl::Duration timeout{};
};

struct ChangeMessageVisibilityBatchRequest {
  QueueAddress queue{};
  std::vector<BatchEntry<VisibilityChange>> entries{};
};

struct StartMessageMoveTaskRequest {
  std::string source_arn{};
  // If empty, each message goes back to the queue that it came from.
  std::string destination_arn{};
  std::optional<int64_t> max_per_second{};
};

struct ListMessageMoveTasksRequest {
  std::string source_arn{};
  std::optional<int64_t> max_results{};
};

struct MoveTask {
  enum class Status { kRunning, kCompleted, kCancelled, kFailed };

  std::string id{};
  Status status = Status::kRunning;
  std::string source_arn{};
  std::string destination_arn{};
  std::optional<int64_t> max_per_second{};
  int64_t moved = 0;
  int64_t to_move = 0;
  std::string failure_reason{};
  absl::Time started_at{};
};

// How many messages a queue has.
struct QueueDepth {
  int64_t visible = 0;
  int64_t delayed = 0;
  int64_t in_flight = 0;

  friend bool operator==(const QueueDepth&, const QueueDepth&) = default;
};

// A message that is read without being received.
struct PeekedMessage {
  StoredMessage message{};
  Message::Place place = Message::Place::kVisible;
  absl::Time available_at{};
  int64_t receives = 0;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_API_H_
