// What only FIFO queues need: sequence numbers, deduplication, and attempts to
// receive again.
#include <algorithm>
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
#include "local/sqs/api.h"
#include "local/sqs/deduplication.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/queue_settings.h"
#include "local/sqs/receive_attempts.h"
#include "local/sqs/record.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

absl::Status Engine::LoadFifo() {
  const absl::StatusOr<std::optional<std::string>> sequence =
      store_.Get(kSequenceKey);
  if (!sequence.ok()) return sequence.status();
  next_sequence_ = 0;
  if (sequence->has_value()) next_sequence_ = RecordReader(**sequence).Number();
  reserved_sequence_ = next_sequence_;

  const absl::Time now = clock_.Now();
  absl::Status status = ScanFifo(kAcceptedPrefix,
                                 [&](FifoIndexes& fifo, uint64_t number,
                                     absl::string_view record) -> absl::Status {
                                   absl::StatusOr<AcceptedMessage> message =
                                       DecodeAccepted(number, record);
                                   if (!message.ok()) return message.status();
                                   // It may be from before the clock was set
                                   // back.
                                   message->sent_at =
                                       std::min(message->sent_at, now);
                                   fifo.deduplication.Add(*std::move(message));
                                   return absl::OkStatus();
                                 });
  if (!status.ok()) return status;
  return ScanFifo(kAttemptPrefix,
                  [&](FifoIndexes& fifo, uint64_t number,
                      absl::string_view record) -> absl::Status {
                    absl::StatusOr<ReceiveAttempt> attempt =
                        DecodeAttempt(number, record);
                    if (!attempt.ok()) return attempt.status();
                    attempt->made_at = std::min(attempt->made_at, now);
                    fifo.attempts.Add(*std::move(attempt));
                    return absl::OkStatus();
                  });
}

absl::Status Engine::ScanFifo(absl::string_view prefix,
                              const LoadFifoRecord& load) {
  absl::Status damage;
  absl::Status scanned = store_.Scan(
      PrefixRange(prefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        RecordReader reader(key.substr(prefix.size()));
        const auto queue = queues_by_id_.find(reader.Number());
        const uint64_t number = reader.Number();
        damage =
            queue == queues_by_id_.end() || queue->second->fifo() == nullptr
                ? absl::DataLossError(
                      "a record in the store is of no FIFO queue")
                : load(*queue->second->fifo(), number, value);
        return damage.ok() ? Store::Visit::kContinue : Store::Visit::kStop;
      });
  return damage.ok() ? scanned : damage;
}

// Ten for each microsecond, so that numbers grow even if the clock does not.
uint64_t Engine::NextSequence() {
  constexpr uint64_t kPerMicrosecond = 10;
  constexpr uint64_t kReserved = kPerMicrosecond * 60'000'000;
  const int64_t micros = std::max<int64_t>(0, absl::ToUnixMicros(clock_.Now()));
  const uint64_t sequence =
      std::max(next_sequence_, static_cast<uint64_t>(micros) * kPerMicrosecond);
  next_sequence_ = sequence + 1;
  if (next_sequence_ > reserved_sequence_) {
    reserved_sequence_ = sequence + kReserved;
    std::string reserved;
    AppendNumber(reserved_sequence_, reserved);
    store_.Put(kSequenceKey, reserved).IgnoreError();
  }
  return sequence;
}

void Engine::ForgetOld(Queue& queue) {
  FifoIndexes& fifo = *queue.fifo();
  const absl::Time now = clock_.Now();
  while (const std::optional<uint64_t> old = fifo.deduplication.Forget(now)) {
    store_.Delete(Key(kAcceptedPrefix, queue.id(), *old)).IgnoreError();
  }
  while (const std::optional<uint64_t> old = fifo.attempts.Forget(now)) {
    store_.Delete(Key(kAttemptPrefix, queue.id(), *old)).IgnoreError();
  }
}

const AcceptedMessage* Engine::FindDuplicate(const Queue& queue,
                                             const PreparedMessage& message,
                                             const MessageHeader& header) {
  if (queue.fifo() == nullptr) return nullptr;
  const bool in_group = queue.settings().fifo->deduplication_scope ==
                        FifoSettings::Scope::kMessageGroup;
  return queue.fifo()->deduplication.Find(
      header.deduplication_id, in_group ? &message.group_id : nullptr,
      clock_.Now());
}

void Engine::PutAttempt(const Queue& queue, const ReceiveAttempt& attempt) {
  store_
      .Put(Key(kAttemptPrefix, queue.id(), attempt.sequence),
           EncodeAttempt(attempt))
      .IgnoreError();
}

void Engine::RememberAttempt(Queue& queue, const std::string& id,
                             const std::vector<uint64_t>& numbers) {
  ReceiveAttempt attempt{
      .sequence = NextSequence(), .made_at = clock_.Now(), .id = id};
  for (const uint64_t number : numbers) {
    const MessageState& state = queue.Find(number)->state;
    attempt.invisible_until = state.available_at;
    attempt.messages.push_back({.number = number, .receipt = state.receipt});
  }
  PutAttempt(queue, attempt);
  queue.fifo()->attempts.Add(std::move(attempt));
}

std::optional<ReceiveResult> Engine::RepeatAttempt(
    Queue& queue, const ReceiveMessageRequest& request) {
  const absl::Time now = clock_.Now();
  ReceiveAttempt* attempt =
      queue.fifo()->attempts.Find(*request.attempt_id, now);
  if (attempt == nullptr) return std::nullopt;
  if (attempt->invisible_until <= now) {
    // Its messages can be received by anybody.
    store_.Delete(Key(kAttemptPrefix, queue.id(), attempt->sequence))
        .IgnoreError();
    queue.fifo()->attempts.Remove(attempt->sequence);
    return std::nullopt;
  }
  std::vector<ReceivedMessage> received;
  for (const auto& [number, receipt] : attempt->messages) {
    const Message* message = queue.Find(number);
    if (message == nullptr || message->state.receipt != receipt ||
        message->state.available_at != attempt->invisible_until) {
      return InvalidParameter(
          "ReceiveRequestAttemptId", *request.attempt_id,
          "The receiveRequestAttemptId is not valid anymore since the receive "
          "call is not retryable.");
    }
    absl::StatusOr<ReceivedMessage> read = ReadReceived(queue, number);
    if (!read.ok()) return read.status();
    received.push_back(*std::move(read));
  }
  attempt->invisible_until = now + request.visibility_timeout.value_or(
                                       queue.settings().visibility_timeout);
  for (const auto& [number, receipt] : attempt->messages) {
    queue.Hide(number, attempt->invisible_until);
    PutState(queue, number, *queue.Find(number));
  }
  PutAttempt(queue, *attempt);
  return received;
}

absl::Status Engine::ChangeDelay(Queue& queue, absl::Duration delay) {
  std::vector<std::pair<uint64_t, MessageHeader>> headers;
  std::vector<std::string> records;
  for (const uint64_t number : queue.Delayed()) {
    const absl::StatusOr<std::string> record = ReadRecord(queue, number);
    if (!record.ok()) return record.status();
    absl::string_view content;
    absl::StatusOr<MessageHeader> header =
        DecodeHeader(*record, queue.kind(), &content);
    if (!header.ok()) return header.status();
    header->available_at = header->sent_at + delay;
    records.push_back(EncodeMessage(*header, content, queue.kind()));
    headers.emplace_back(number, *std::move(header));
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& [number, header] = headers[i];
    store_.Put(Key(kMessagePrefix, queue.id(), number), records[i])
        .IgnoreError();
    queue.SetDelay(number, header.available_at);
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::sqs
