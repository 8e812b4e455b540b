// SendMessage, SendMessageBatch.
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/sqs/api.h"
#include "local/sqs/batch.h"
#include "local/sqs/deduplication.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

namespace {

constexpr char kNeedsDeduplicationId[] =
    "The queue should either have ContentBasedDeduplication enabled or "
    "MessageDeduplicationId provided explicitly";

absl::Status CheckForQueue(const Queue& queue, const PreparedMessage& message) {
  const bool has_id = !message.deduplication_id.empty();
  if (queue.fifo() == nullptr) {
    if (!has_id) return absl::OkStatus();
    return NotForThisQueueType("MessageDeduplicationId",
                               message.deduplication_id);
  }
  if (message.group_id.empty()) return MissingParameter("MessageGroupId");
  if (!has_id && !queue.settings().fifo->content_based_deduplication) {
    return InvalidParameterValue(kNeedsDeduplicationId);
  }
  // The delay of a FIFO queue is that of all its messages.
  const absl::Duration delay = message.delay.value_or(absl::ZeroDuration());
  if (delay == absl::ZeroDuration()) return absl::OkStatus();
  // Words as AWS has them, which differ from those above.
  return InvalidParameter(
      "DelaySeconds", absl::StrCat(absl::ToInt64Seconds(delay)),
      "The request include parameter that is not valid for this queue type.");
}

// A FIFO queue rejects the whole batch if a message has no group or
// deduplication ID.
absl::Status CheckBatchForQueue(const Queue& queue,
                                const SendMessageBatchRequest& request) {
  if (queue.fifo() == nullptr) return absl::OkStatus();
  for (const BatchEntry<PreparedMessage>& entry : request.entries) {
    if (!entry.value.ok()) continue;
    if (entry.value->group_id.empty()) {
      return InvalidParameterValue(
          "The request must contain the parameter MessageGroupId.");
    }
    if (entry.value->deduplication_id.empty() &&
        !queue.settings().fifo->content_based_deduplication) {
      return InvalidParameterValue(kNeedsDeduplicationId);
    }
  }
  return absl::OkStatus();
}

}  // namespace

SendMessageResult Engine::Send(Queue& queue, const PreparedMessage& message) {
  SendMessageResult result{
      .md5_of_body = message.md5_of_body,
      .md5_of_attributes = message.md5_of_attributes,
      .md5_of_system_attributes = message.md5_of_system_attributes};
  MessageHeader header{.deduplication_id = message.deduplication_id.empty()
                                               ? message.content_id
                                               : message.deduplication_id};
  if (const AcceptedMessage* first = FindDuplicate(queue, message, header)) {
    result.message_id = first->message_id;
    result.sequence_number = FormatSequenceNumber(first->sequence);
    return result;
  }
  // A FIFO queue delays all its messages alike.
  Enqueue(queue, message,
          queue.fifo() == nullptr
              ? message.delay.value_or(queue.settings().delay)
              : queue.settings().delay,
          header);
  result.message_id = header.id;
  if (queue.fifo() == nullptr) return result;
  result.sequence_number = FormatSequenceNumber(header.sequence);
  AcceptedMessage accepted{.sequence = header.sequence,
                           .sent_at = header.sent_at,
                           .deduplication_id = header.deduplication_id,
                           .group_id = message.group_id,
                           .message_id = header.id};
  store_
      .Put(Key(kAcceptedPrefix, queue.id(), header.sequence),
           EncodeAccepted(accepted))
      .IgnoreError();
  queue.fifo()->deduplication.Add(std::move(accepted));
  return result;
}

void Engine::Enqueue(Queue& queue, const PreparedMessage& message,
                     absl::Duration delay, MessageHeader& header) {
  const absl::Time now = clock_.Now();
  header.id = random::NewUuid();
  header.sent_at = now;
  header.available_at = now + delay;
  if (queue.fifo() != nullptr) header.sequence = NextSequence();
  const uint64_t number = next_message_++;
  store_
      .Put(Key(kMessagePrefix, queue.id(), number),
           EncodeMessage(header, message.content, queue.kind()))
      .IgnoreError();
  queue.Add(number,
            {.sent_at = now, .state = {.available_at = header.available_at}},
            message.group_id, now);
  if (header.available_at <= now) ready_.insert(queue.id());
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
absl::StatusOr<SendMessageResult> Engine::SendMessage(
    const SendMessageRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  const int64_t limit = queue->settings().max_message_bytes;
  if (request.message.bytes > limit) return MessageTooLong(limit);
  if (absl::Status status = CheckForQueue(*queue, request.message);
      !status.ok()) {
    return status;
  }
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
  if (absl::Status status = CheckBatchForQueue(*queue, request); !status.ok()) {
    return status;
  }

  const int64_t limit = queue->settings().max_message_bytes;
  BatchResult<SendMessageResult> results;
  for (const BatchEntry<PreparedMessage>& entry : request.entries) {
    if (!entry.value.ok()) {
      results.push_back({entry.id, entry.value.status()});
    } else if (entry.value->bytes > limit) {
      results.push_back({entry.id, MessageTooLong(limit)});
    } else if (absl::Status status = CheckForQueue(*queue, *entry.value);
               !status.ok()) {
      results.push_back({entry.id, std::move(status)});
    } else {
      results.push_back({entry.id, Send(*queue, *entry.value)});
    }
  }
  return results;
}

}  // namespace byoshin::local::sqs
