// SendMessage, SendMessageBatch.
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/sqs/api.h"
#include "local/sqs/batch.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

SendMessageResult Engine::Send(Queue& queue, const PreparedMessage& message) {
  const absl::Time now = clock_.Now();
  const MessageHeader header{
      .id = random::NewUuid(),
      .sent_at = now,
      .available_at = now + message.delay.value_or(queue.settings().delay)};
  const uint64_t number = next_message_++;
  store_
      .Put(Key(kMessagePrefix, queue.id(), number),
           EncodeMessage(header, message.content))
      .IgnoreError();
  queue.Add(number,
            {.sent_at = now, .state = {.available_at = header.available_at}},
            now);
  if (header.available_at <= now) ready_.insert(queue.id());
  return {.message_id = header.id,
          .md5_of_body = message.md5_of_body,
          .md5_of_attributes = message.md5_of_attributes,
          .md5_of_system_attributes = message.md5_of_system_attributes};
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
absl::StatusOr<SendMessageResult> Engine::SendMessage(
    const SendMessageRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  const int64_t limit = queue->settings().max_message_bytes;
  if (request.message.bytes > limit) return MessageTooLong(limit);
  return Send(*queue, request.message);
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
absl::StatusOr<BatchResult<SendMessageResult>> Engine::SendMessageBatch(
    const SendMessageBatchRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  if (absl::Status status =
          CheckBatch(request.entries, "SendMessageBatchRequestEntry");
      !status.ok()) {
    return status;
  }
  int64_t bytes = 0;
  for (const BatchEntry<PreparedMessage>& entry : request.entries) {
    if (entry.value.ok()) bytes += entry.value->bytes;
  }
  if (bytes > kMaxMessageBytes) return BatchRequestTooLong(bytes);

  const int64_t limit = queue->settings().max_message_bytes;
  BatchResult<SendMessageResult> results;
  for (const BatchEntry<PreparedMessage>& entry : request.entries) {
    if (!entry.value.ok()) {
      results.push_back({entry.id, entry.value.status()});
    } else if (entry.value->bytes > limit) {
      results.push_back({entry.id, MessageTooLong(limit)});
    } else {
      results.push_back({entry.id, Send(*queue, *entry.value)});
    }
  }
  return results;
}

}  // namespace byoshin::local::sqs
