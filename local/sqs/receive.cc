// ReceiveMessage: receiving messages, waiting for them, and moving those that
// were received too often to the dead-letter queue.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/queue_settings.h"
#include "local/sqs/receipt_handle.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

ReceivedMessage Received(Queue& queue, uint64_t number, StoredMessage stored) {
  const MessageState& state = queue.Find(number)->state;
  return {
      .receipt_handle = FormatReceiptHandle(
          {.queue = queue.id(), .message = number, .receipt = state.receipt}),
      .message = std::move(stored),
      .receives = state.receives,
      .first_received_at = state.first_received_at};
}

}  // namespace

absl::StatusOr<std::string> Engine::ReadRecord(const Queue& queue,
                                               uint64_t number) {
  absl::StatusOr<std::optional<std::string>> record =
      store_.Get(Key(kMessagePrefix, queue.id(), number));
  if (!record.ok()) return record.status();
  if (!record->has_value()) {
    return absl::DataLossError("a message is missing in the store");
  }
  return **std::move(record);
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
void Engine::ReceiveMessage(const ReceiveMessageRequest& request,
                            ReceiveCallback done) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return Answer(std::move(done), QueueDoesNotExist());
  if (request.max_messages < 1) {
    return Answer(
        std::move(done),
        InvalidParameterValue("MaxNumberOfMessages must be positive."));
  }
  if (!request.connected()) {
    return Answer(std::move(done), std::vector<ReceivedMessage>());
  }
  if (request.attempt_id.has_value()) {
    if (queue->fifo() == nullptr) {
      return Answer(
          std::move(done),
          NotForThisQueueType("ReceiveRequestAttemptId", *request.attempt_id));
    }
    if (std::optional<ReceiveResult> again = RepeatAttempt(*queue, request)) {
      return Answer(std::move(done), *std::move(again));
    }
  }
  ReceiveResult result = Take(*queue, request);
  const absl::Duration wait =
      request.wait.value_or(queue->settings().receive_wait);
  if (result.ok() && result->empty() && wait > absl::ZeroDuration()) {
    request.let_time_pass();
    return Wait(*queue, request, wait, std::move(done));
  }
  Answer(std::move(done), std::move(result));
}

ReceiveResult Engine::Take(Queue& queue, const ReceiveMessageRequest& request) {
  const absl::Duration timeout =
      request.visibility_timeout.value_or(queue.settings().visibility_timeout);
  std::vector<ReceivedMessage> received;
  std::vector<uint64_t> numbers;
  std::optional<uint64_t> next;
  while (received.size() < static_cast<std::size_t>(request.max_messages)) {
    const std::optional<uint64_t> number =
        next.has_value() ? next : queue.FirstReceivable();
    if (!number.has_value()) break;
    next = queue.NextOfGroup(*number);
    const Message& message = *queue.Find(*number);
    if (queue.IsExpired(message, clock_.Now())) {
      Drop(queue, *number);
      continue;
    }
    absl::Status status;
    if (Queue* dead_letters = DeadLetterQueueOf(queue, message)) {
      status = MoveToDeadLetters({queue, *number, *dead_letters});
    } else if (queue.in_flight() >= options_.max_in_flight) {
      // On AWS, that is no error in a FIFO queue.
      if (queue.fifo() != nullptr) break;
      status = OverLimit();
    } else {
      absl::StatusOr<ReceivedMessage> one = TakeOne(queue, *number, timeout);
      status = one.status();
      if (one.ok()) {
        received.push_back(*std::move(one));
        numbers.push_back(*number);
      }
    }
    // Messages that were already taken must be delivered.
    if (!status.ok() && received.empty()) return status;
    if (!status.ok()) break;
  }
  if (timeout == absl::ZeroDuration() && !numbers.empty()) {
    // They were never invisible.
    for (const uint64_t number : numbers) {
      queue.MakeVisible(number, clock_.Now());
    }
    ready_.insert(queue.id());
  }
  if (request.attempt_id.has_value() && !numbers.empty()) {
    RememberAttempt(queue, *request.attempt_id, numbers);
  }
  return received;
}

absl::StatusOr<ReceivedMessage> Engine::TakeOne(
    Queue& queue, uint64_t number, absl::Duration visibility_timeout) {
  absl::StatusOr<StoredMessage> stored = ReadMessage(queue, number);
  if (!stored.ok()) return stored.status();

  const absl::Time now = clock_.Now();
  Message& message = *queue.Find(number);
  MessageState& state = message.state;
  if (state.receives == 0) state.first_received_at = now;
  ++state.receives;
  ++state.receives_here;
  state.received_at = now;
  state.receipt = Random();
  queue.Hide(number, now + visibility_timeout);
  PutState(queue, number, message);
  return Received(queue, number, *std::move(stored));
}

absl::StatusOr<StoredMessage> Engine::ReadMessage(const Queue& queue,
                                                  uint64_t number) {
  const absl::StatusOr<std::string> record = ReadRecord(queue, number);
  if (!record.ok()) return record.status();
  return DecodeMessage(*record, queue.kind());
}

absl::StatusOr<ReceivedMessage> Engine::ReadReceived(Queue& queue,
                                                     uint64_t number) {
  absl::StatusOr<StoredMessage> stored = ReadMessage(queue, number);
  if (!stored.ok()) return stored.status();
  return Received(queue, number, *std::move(stored));
}

void Engine::PutState(const Queue& queue, uint64_t number,
                      const Message& message) {
  store_.Put(Key(kStatePrefix, queue.id(), number), EncodeState(message.state))
      .IgnoreError();
}

Queue* Engine::DeadLetterQueueOf(Queue& queue, const Message& message) {
  const std::optional<RedrivePolicy>& redrive = queue.settings().redrive;
  if (!redrive.has_value() ||
      message.state.receives_here < redrive->max_receive_count) {
    return nullptr;
  }
  // If it has been deleted, or is the queue itself, messages stay where they
  // are.
  Queue* const target = FindByArn(redrive->target_arn);
  return target == &queue ? nullptr : target;
}

absl::Status Engine::MoveToDeadLetters(const Transfer& transfer) {
  Queue& from = transfer.from;
  Queue& to = transfer.to;
  const absl::StatusOr<std::string> record = ReadRecord(from, transfer.number);
  if (!record.ok()) return record.status();
  absl::string_view content;
  absl::StatusOr<MessageHeader> header =
      DecodeHeader(*record, from.kind(), &content);
  if (!header.ok()) return header.status();

  const absl::Time now = clock_.Now();
  header->dead_letter_source = ArnOf(from.address(), options_.account_id);
  header->available_at = now;
  // It keeps its receive count, and its age except in a FIFO queue.
  Message message = *from.Find(transfer.number);
  if (to.fifo() != nullptr) {
    header->sent_at = now;
    header->sequence = NextSequence();
    message.sent_at = now;
  }
  message.state.available_at = now;
  message.state.receives_here = 0;
  message.state.receipt = 0;
  Drop(from, transfer.number);
  const uint64_t number = next_message_++;
  store_
      .Put(Key(kMessagePrefix, to.id(), number),
           EncodeMessage(*header, content, to.kind()))
      .IgnoreError();
  PutState(to, number, message);
  to.Add(number, std::move(message), GroupOf(content), now);
  ready_.insert(to.id());
  return absl::OkStatus();
}

void Engine::Wait(const Queue& queue, const ReceiveMessageRequest& request,
                  absl::Duration wait, ReceiveCallback done) {
  const uint64_t id = next_waiter_++;
  const absl::Time deadline = clock_.Now() + wait;
  waiters_[id] = {.queue = queue.id(),
                  .request = request,
                  .done = std::move(done),
                  .deadline = deadline};
  waiters_by_queue_[queue.id()].insert(id);
  wait_deadlines_.emplace(deadline, id);
}

void Engine::EndWait(uint64_t waiter, ReceiveResult result) {
  const auto found = waiters_.find(waiter);
  const auto by_queue = waiters_by_queue_.find(found->second.queue);
  by_queue->second.erase(waiter);
  if (by_queue->second.empty()) waiters_by_queue_.erase(by_queue);
  wait_deadlines_.erase({found->second.deadline, waiter});
  ReceiveCallback done = std::move(found->second.done);
  waiters_.erase(found);
  Answer(std::move(done), std::move(result));
}

void Engine::Answer(ReceiveCallback done, ReceiveResult result) {
  committed_.push_back([done = std::move(done), result = std::move(result)](
                           const absl::Status& committed) {
    done(committed.ok() ? result : ReceiveResult(committed));
  });
}

// First come, first served.
void Engine::Serve(Queue& queue) {
  while (CanReceive(queue)) {
    const auto waiting = waiters_by_queue_.find(queue.id());
    if (waiting == waiters_by_queue_.end()) break;
    const uint64_t id = *waiting->second.begin();
    const Waiter& waiter = waiters_.at(id);
    ReceiveResult result = std::vector<ReceivedMessage>();
    if (waiter.request.connected()) {
      result = Take(queue, waiter.request);
      // The messages had expired or went to the dead-letter queue.
      if (result.ok() && result->empty()) continue;
    }
    EndWait(id, std::move(result));
  }
  if (CanReceive(queue)) available_.insert(queue.id());
}

bool Engine::CanReceive(const Queue& queue) const {
  if (queue.fifo() != nullptr && queue.in_flight() >= options_.max_in_flight) {
    return false;
  }
  return queue.FirstReceivable().has_value();
}

void Engine::ServeReady() {
  while (!ready_.empty()) {
    const uint64_t id = *ready_.begin();
    ready_.erase(ready_.begin());
    const auto queue = queues_by_id_.find(id);
    if (queue == queues_by_id_.end()) continue;
    touched_.push_back(queue->second);
    Serve(*queue->second);
  }
}

}  // namespace byoshin::local::sqs
