// DeleteMessage, DeleteMessageBatch, ChangeMessageVisibility,
// ChangeMessageVisibilityBatch.
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/batch.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"
#include "local/sqs/queue.h"
#include "local/sqs/receipt_handle.h"

namespace byoshin::local::sqs {
namespace {

absl::Status CheckTimeout(absl::Duration timeout) {
  if (timeout >= absl::ZeroDuration() && timeout <= kMaxVisibilityTimeout) {
    return absl::OkStatus();
  }
  return InvalidParameter(
      "VisibilityTimeout", absl::StrCat(absl::ToInt64Seconds(timeout)),
      absl::StrCat("Must be >= 0 and <= ",
                   absl::ToInt64Seconds(kMaxVisibilityTimeout), "."));
}

// Whether the handle is of a message of a FIFO queue that is no longer in
// flight with it. A standard queue does not mind.
bool HasExpired(Queue& queue, const ReceiptHandle& handle) {
  if (queue.fifo() == nullptr) return false;
  const Message* message = queue.Find(handle.message);
  return message != nullptr && (message->state.receipt != handle.receipt ||
                                message->place != Message::Place::kInFlight);
}

bool HasExpired(Queue& queue, absl::string_view receipt_handle) {
  const std::optional<ReceiptHandle> handle =
      ParseReceiptHandle(receipt_handle);
  return handle.has_value() && handle->queue == queue.id() &&
         HasExpired(queue, *handle);
}

}  // namespace

absl::Status Engine::Delete(Queue& queue, absl::string_view receipt_handle) {
  const std::optional<ReceiptHandle> handle =
      ParseReceiptHandle(receipt_handle);
  if (!handle.has_value() || handle->queue != queue.id()) {
    return ReceiptHandleIsInvalid(receipt_handle);
  }
  if (HasExpired(queue, *handle)) {
    return ReceiptHandleHasExpired(receipt_handle);
  }
  const Message* message = queue.Find(handle->message);
  // Deleting a deleted message succeeds. With the handle of an earlier receive,
  // AWS reports success and does nothing.
  if (message != nullptr && message->state.receipt == handle->receipt) {
    Drop(queue, handle->message);
  }
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessage.html
absl::Status Engine::DeleteMessage(const QueueAddress& queue,
                                   absl::string_view receipt_handle) {
  Queue* found = Find(queue);
  if (found == nullptr) return QueueDoesNotExist();
  return Delete(*found, receipt_handle);
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessageBatch.html
absl::StatusOr<BatchResult<Nothing>> Engine::DeleteMessageBatch(
    const DeleteMessageBatchRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  if (absl::Status status =
          CheckBatch(request.entries, "DeleteMessageBatchRequestEntry");
      !status.ok()) {
    return status;
  }
  BatchResult<Nothing> results;
  for (const BatchEntry<std::string>& entry : request.entries) {
    absl::Status status = entry.value.status();
    if (status.ok()) {
      status = queue->fifo() != nullptr && HasExpired(*queue, *entry.value)
                   ? ReceiptHandleInBatchHasExpired()
                   : Delete(*queue, *entry.value);
    }
    results.push_back(
        {entry.id, status.ok() ? absl::StatusOr<Nothing>(Nothing()) : status});
  }
  return results;
}

absl::Status Engine::ChangeVisibility(Queue& queue,
                                      const VisibilityChange& change) {
  if (absl::Status status = CheckTimeout(change.timeout); !status.ok()) {
    return status;
  }
  const std::optional<ReceiptHandle> handle =
      ParseReceiptHandle(change.receipt_handle);
  if (!handle.has_value() || handle->queue != queue.id()) {
    return ReceiptHandleIsInvalid(change.receipt_handle);
  }
  Message* message = queue.Find(handle->message);
  if (message == nullptr) {
    return InvalidParameter("ReceiptHandle", change.receipt_handle,
                            "Message does not exist or is not available for "
                            "visibility timeout change.");
  }
  if (HasExpired(queue, *handle)) {
    return ReceiptHandleHasExpired(change.receipt_handle);
  }
  // In a standard queue, the handle may be that of an earlier receive: AWS has
  // been seen to change the visibility all the same.
  const absl::Time now = clock_.Now();
  if (now + change.timeout >
      message->state.received_at + kMaxVisibilityTimeout) {
    return InvalidParameter(
        "VisibilityTimeout", absl::StrCat(absl::ToInt64Seconds(change.timeout)),
        absl::StrCat("Total VisibilityTimeout for the message is beyond the "
                     "limit [",
                     absl::ToInt64Seconds(kMaxVisibilityTimeout), " seconds]"));
  }
  if (change.timeout == absl::ZeroDuration()) {
    queue.MakeVisible(handle->message, now);
    ready_.insert(queue.id());
  } else {
    queue.Hide(handle->message, now + change.timeout);
  }
  PutState(queue, handle->message, *message);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
absl::Status Engine::ChangeMessageVisibility(const QueueAddress& queue,
                                             const VisibilityChange& change) {
  Queue* found = Find(queue);
  if (found == nullptr) return QueueDoesNotExist();
  return ChangeVisibility(*found, change);
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibilityBatch.html
absl::StatusOr<BatchResult<Nothing>> Engine::ChangeMessageVisibilityBatch(
    const ChangeMessageVisibilityBatchRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  if (absl::Status status = CheckBatch(
          request.entries, "ChangeMessageVisibilityBatchRequestEntry");
      !status.ok()) {
    return status;
  }
  BatchResult<Nothing> results;
  for (const BatchEntry<VisibilityChange>& entry : request.entries) {
    absl::Status status = entry.value.status();
    if (status.ok()) status = ChangeVisibility(*queue, *entry.value);
    results.push_back(
        {entry.id, status.ok() ? absl::StatusOr<Nothing>(Nothing()) : status});
  }
  return results;
}

}  // namespace byoshin::local::sqs
