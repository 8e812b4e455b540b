// A message as it is sent, stored and indexed in memory.
//
//   absl::StatusOr<PreparedMessage> prepared = Prepare(new_message, sender_id);
//   if (!prepared.ok()) return prepared.status();
//   store.Put(key, EncodeMessage(header, prepared->content));
//   ...
//   absl::StatusOr<StoredMessage> message = DecodeMessage(record);
//
// The content never changes and is written once. The state that changes when a
// message is received is small, has its own key, and is also kept in memory.
#ifndef BYOSHIN_LOCAL_SQS_MESSAGE_H_
#define BYOSHIN_LOCAL_SQS_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/message_attribute.h"

namespace byoshin::local::sqs {

// A message from a sender.
struct NewMessage {
  std::string body{};
  // The queue's own if not set.
  std::optional<absl::Duration> delay{};
  MessageAttributes attributes{};
  MessageAttributes system_attributes{};
  // The trace of the request; the attribute AWSTraceHeader has precedence.
  std::string trace_id{};
  std::optional<std::string> group_id{};
  std::optional<std::string> deduplication_id{};
};

// A valid message, ready to be stored. The queue checks its size, and what
// depends on the kind of queue.
struct PreparedMessage {
  std::optional<absl::Duration> delay{};
  std::string content{};
  std::string group_id{};          // empty if it has none
  std::string deduplication_id{};  // likewise
  // The deduplication ID of its content: the SHA-256 of the body. Empty for a
  // message without group, which no FIFO queue accepts.
  std::string content_id{};
  int64_t bytes = 0;
  std::string md5_of_body{};
  std::string md5_of_attributes{};
  std::string md5_of_system_attributes{};
};

// InvalidParameterValue if there is an ID that is invalid for the parameter
// MessageGroupId, MessageDeduplicationId or ReceiveRequestAttemptId.
absl::Status CheckFifoId(absl::string_view parameter,
                         const std::optional<std::string>& id);

absl::StatusOr<PreparedMessage> Prepare(const NewMessage& message,
                                        absl::string_view sender_id);

// What SQS adds to the content.
struct MessageHeader {
  std::string id{};
  absl::Time sent_at{};
  // When it could first be received.
  absl::Time available_at{};
  // The ARN of the queue that it came from as a dead letter; empty if it is not
  // one.
  std::string dead_letter_source{};
  // In FIFO queues only.
  std::string deduplication_id{};
  uint64_t sequence = 0;
};

// A sequence number as SQS reports it, with 20 digits.
std::string FormatSequenceNumber(uint64_t sequence);

struct MessageContent {
  std::string sender_id{};
  std::string group_id{};
  std::string trace_header{};
  std::string md5_of_body{};
  std::string body{};
  MessageAttributes attributes{};
};

struct StoredMessage {
  MessageHeader header{};
  MessageContent content{};
};

// The record of a message in a queue of this kind.
std::string EncodeMessage(const MessageHeader& header,
                          absl::string_view content, QueueKind kind);

// DataLoss if the record is damaged. The first reads only what it needs, and
// returns the content as Prepare() created it.
absl::StatusOr<MessageHeader> DecodeHeader(absl::string_view record,
                                           QueueKind kind,
                                           absl::string_view* content);
absl::StatusOr<StoredMessage> DecodeMessage(absl::string_view record,
                                            QueueKind kind);
// The group of a message with this content; a part of it.
absl::string_view GroupOf(absl::string_view content);

// The state that changes when a message is received.
struct MessageState {
  // When it can be received, or since when: the end of its delay or visibility
  // timeout.
  absl::Time available_at{};
  absl::Time received_at = absl::InfinitePast();  // most recently
  absl::Time first_received_at = absl::InfinitePast();
  // By all queues that it was in, and by this one.
  int64_t receives = 0;
  int64_t receives_here = 0;
  // Of the most recent receipt handle; 0 if there was none.
  uint64_t receipt = 0;
};

std::string EncodeState(const MessageState& state);
absl::StatusOr<MessageState> DecodeState(absl::string_view record);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_MESSAGE_H_
