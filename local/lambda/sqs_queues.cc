#include "local/lambda/sqs_queues.h"

#include <cstdint>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/sqs/api.h"
#include "local/sqs/message.h"
#include "local/sqs/message_attribute.h"

namespace byoshin::local::lambda {
namespace {

queues::QueueMessage ToMessage(const sqs::ReceivedMessage& received) {
  const sqs::MessageHeader& header = received.message.header;
  const sqs::MessageContent& content = received.message.content;
  queues::QueueMessage message{
      .id = header.id,
      .receipt_handle = received.receipt_handle,
      .body = content.body,
      .md5_of_body = content.md5_of_body,
      .attributes = {
          {"ApproximateReceiveCount", absl::StrCat(received.receives)},
          {"SentTimestamp", absl::StrCat(absl::ToUnixMillis(header.sent_at))},
          {"SenderId", content.sender_id},
          {"ApproximateFirstReceiveTimestamp",
           absl::StrCat(absl::ToUnixMillis(received.first_received_at))}}};
  if (!content.group_id.empty()) {
    message.attributes["MessageGroupId"] = content.group_id;
  }
  if (header.sequence != 0) {
    message.attributes["SequenceNumber"] =
        sqs::FormatSequenceNumber(header.sequence);
    message.attributes["MessageDeduplicationId"] = header.deduplication_id;
  }
  if (!content.trace_header.empty()) {
    message.attributes["AWSTraceHeader"] = content.trace_header;
  }
  if (!header.dead_letter_source.empty()) {
    message.attributes["DeadLetterQueueSourceArn"] = header.dead_letter_source;
  }
  for (const auto& [name, attribute] : content.attributes) {
    message.message_attributes.push_back({.name = name,
                                          .data_type = attribute.data_type,
                                          .value = attribute.value()});
  }
  return message;
}

}  // namespace

absl::StatusOr<queues::QueueSource::WatchId> SqsQueues::Watch(
    const std::string& queue_arn, std::function<void()> available) {
  const std::uint64_t id = sqs_.Subscribe(queue_arn, std::move(available));
  if (id != 0) return id;
  return absl::NotFoundError(
      absl::StrCat("this is not the ARN of a local queue: ", queue_arn));
}

void SqsQueues::Unwatch(WatchId id) {
  sqs_.Unsubscribe(id, [] {});
}

void SqsQueues::Receive(
    const std::string& queue_arn, int max_messages,
    std::function<void(absl::StatusOr<std::vector<queues::QueueMessage>>)>
        done) {
  sqs_.Receive(queue_arn, {.max_messages = max_messages},
               [done = std::move(done)](const sqs::ReceiveResult& result) {
                 if (!result.ok()) return done(result.status());
                 std::vector<queues::QueueMessage> messages;
                 for (const sqs::ReceivedMessage& received : *result) {
                   messages.push_back(ToMessage(received));
                 }
                 done(std::move(messages));
               });
}

void SqsQueues::Delete(const std::string& queue_arn,
                       std::vector<std::string> receipt_handles,
                       std::function<void(absl::Status)> done) {
  sqs_.Delete(
      queue_arn, std::move(receipt_handles),
      [done = std::move(done)](const absl::Status& status) { done(status); });
}

void SqsQueues::GiveBack(const std::string& queue_arn,
                         std::vector<std::string> receipt_handles,
                         std::function<void(absl::Status)> done) {
  std::vector<sqs::VisibilityChange> changes;
  for (std::string& handle : receipt_handles) {
    changes.push_back(
        {.receipt_handle = std::move(handle), .timeout = absl::ZeroDuration()});
  }
  sqs_.ChangeVisibility(
      queue_arn, std::move(changes),
      [done = std::move(done)](const absl::Status& status) { done(status); });
}

void SqsQueues::Send(const std::string& queue_arn,
                     queues::OutgoingMessage message,
                     std::function<void(absl::Status)> done) {
  sqs::NewMessage sent{.body = std::move(message.body)};
  if (!message.group_id.empty()) sent.group_id = std::move(message.group_id);
  for (queues::QueueMessageAttribute& attribute : message.attributes) {
    sqs::MessageAttribute& added = sent.attributes[attribute.name];
    added.data_type = attribute.data_type;
    if (absl::StartsWith(attribute.data_type, "Binary")) {
      added.binary_value = std::move(attribute.value);
    } else {
      added.string_value = std::move(attribute.value);
    }
  }
  sqs_.Send(queue_arn, sent,
            [done = std::move(done)](
                const absl::StatusOr<sqs::SendMessageResult>& result) {
              done(result.status());
            });
}

}  // namespace byoshin::local::lambda
