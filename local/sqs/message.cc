#include "local/sqs/message.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/crypto/sha256.h"
#include "local/sqs/address.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"
#include "local/sqs/message_attribute.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

constexpr uint64_t kString = 0;
constexpr uint64_t kBinary = 1;

absl::Status CheckDelay(absl::Duration delay) {
  if (delay >= absl::ZeroDuration() && delay <= kMaxDelay) {
    return absl::OkStatus();
  }
  return InvalidParameter("DelaySeconds",
                          absl::StrCat(absl::ToInt64Seconds(delay)),
                          absl::StrCat("DelaySeconds must be >= 0 and <= ",
                                       absl::ToInt64Seconds(kMaxDelay), "."));
}

absl::Status Check(const NewMessage& message) {
  if (message.body.empty()) return MissingParameter("MessageBody");
  if (message.delay.has_value()) {
    if (absl::Status status = CheckDelay(*message.delay); !status.ok()) {
      return status;
    }
  }
  if (absl::Status status = CheckFifoId("MessageGroupId", message.group_id);
      !status.ok()) {
    return status;
  }
  if (absl::Status status =
          CheckFifoId("MessageDeduplicationId", message.deduplication_id);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckMessageAttributes(message.attributes);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckSystemAttributes(message.system_attributes);
      !status.ok()) {
    return status;
  }
  return CheckCharacters(message.body, "message body");
}

void AppendAttributes(const MessageAttributes& attributes, std::string& out) {
  AppendNumber(attributes.size(), out);
  for (const auto& [name, attribute] : attributes) {
    AppendText(name, out);
    AppendText(attribute.data_type, out);
    AppendNumber(attribute.is_binary() ? kBinary : kString, out);
    AppendText(attribute.value(), out);
  }
}

MessageAttributes ReadAttributes(RecordReader& reader) {
  MessageAttributes attributes;
  for (uint64_t left = reader.Number(); left > 0 && reader.ok(); --left) {
    std::string name(reader.Text());
    MessageAttribute attribute{.data_type = std::string(reader.Text())};
    const uint64_t kind = reader.Number();
    std::string value(reader.Text());
    (kind == kBinary ? attribute.binary_value : attribute.string_value) =
        std::move(value);
    attributes.emplace(std::move(name), std::move(attribute));
  }
  return attributes;
}

absl::Status Damaged() {
  return absl::DataLossError("a message in the store is damaged");
}

}  // namespace

absl::Status CheckFifoId(absl::string_view parameter,
                         const std::optional<std::string>& id) {
  const bool valid =
      !id.has_value() ||
      (!id->empty() && id->size() <= kMaxFifoIdBytes &&
       std::all_of(id->begin(), id->end(), [](char c) {
         return absl::ascii_isgraph(static_cast<unsigned char>(c));
       }));
  if (valid) return absl::OkStatus();
  return InvalidParameter(
      parameter, *id,
      absl::StrCat(parameter,
                   " can only include alphanumeric and punctuation characters. "
                   "1 to ",
                   kMaxFifoIdBytes, " in length."));
}

absl::StatusOr<PreparedMessage> Prepare(const NewMessage& message,
                                        absl::string_view sender_id) {
  if (absl::Status status = Check(message); !status.ok()) return status;
  PreparedMessage prepared{
      .delay = message.delay,
      .group_id = message.group_id.value_or(""),
      .deduplication_id = message.deduplication_id.value_or(""),
      .bytes = static_cast<int64_t>(message.body.size()) +
               BytesOf(message.attributes),
      .md5_of_body = crypto::HexEncode(crypto::Md5(message.body)),
      .md5_of_attributes = Md5OfMessageAttributes(message.attributes),
      .md5_of_system_attributes =
          Md5OfMessageAttributes(message.system_attributes)};
  if (!prepared.group_id.empty() && prepared.deduplication_id.empty()) {
    prepared.content_id = crypto::HexEncode(crypto::Sha256(message.body));
  }
  std::string& content = prepared.content;
  content.reserve(message.body.size() + 256);
  AppendText(sender_id, content);
  AppendText(prepared.group_id, content);
  const auto trace = message.system_attributes.find("AWSTraceHeader");
  AppendText(trace == message.system_attributes.end() ? message.trace_id
                                                      : trace->second.value(),
             content);
  AppendText(prepared.md5_of_body, content);
  AppendText(message.body, content);
  AppendAttributes(message.attributes, content);
  return prepared;
}

std::string FormatSequenceNumber(uint64_t sequence) {
  // AWS's have begun with these digits for years.
  return absl::StrFormat("188%017d", sequence);
}

std::string EncodeMessage(const MessageHeader& header,
                          absl::string_view content, QueueKind kind) {
  std::string record;
  record.reserve(content.size() + 128);
  AppendText(header.id, record);
  AppendTime(header.sent_at, record);
  AppendTime(header.available_at, record);
  AppendText(header.dead_letter_source, record);
  if (kind == QueueKind::kFifo) {
    AppendText(header.deduplication_id, record);
    AppendNumber(header.sequence, record);
  }
  record.append(content.data(), content.size());
  return record;
}

absl::StatusOr<MessageHeader> DecodeHeader(absl::string_view record,
                                           QueueKind kind,
                                           absl::string_view* content) {
  RecordReader reader(record);
  MessageHeader header;
  header.id = std::string(reader.Text());
  header.sent_at = reader.Time();
  header.available_at = reader.Time();
  header.dead_letter_source = std::string(reader.Text());
  if (kind == QueueKind::kFifo) {
    header.deduplication_id = std::string(reader.Text());
    header.sequence = reader.Number();
  }
  if (!reader.ok()) return Damaged();
  *content = reader.rest();
  return header;
}

absl::string_view GroupOf(absl::string_view content) {
  RecordReader reader(content);
  reader.Text();  // the sender
  return reader.Text();
}

absl::StatusOr<StoredMessage> DecodeMessage(absl::string_view record,
                                            QueueKind kind) {
  absl::string_view rest;
  absl::StatusOr<MessageHeader> header = DecodeHeader(record, kind, &rest);
  if (!header.ok()) return header.status();
  RecordReader reader(rest);
  MessageContent content;
  content.sender_id = std::string(reader.Text());
  content.group_id = std::string(reader.Text());
  content.trace_header = std::string(reader.Text());
  content.md5_of_body = std::string(reader.Text());
  content.body = std::string(reader.Text());
  content.attributes = ReadAttributes(reader);
  if (!reader.ok()) return Damaged();
  return StoredMessage{.header = *std::move(header),
                       .content = std::move(content)};
}

std::string EncodeState(const MessageState& state) {
  std::string record;
  AppendTime(state.available_at, record);
  AppendTime(state.received_at, record);
  AppendTime(state.first_received_at, record);
  AppendNumber(static_cast<uint64_t>(state.receives), record);
  AppendNumber(static_cast<uint64_t>(state.receives_here), record);
  AppendNumber(state.receipt, record);
  return record;
}

absl::StatusOr<MessageState> DecodeState(absl::string_view record) {
  RecordReader reader(record);
  MessageState state;
  state.available_at = reader.Time();
  state.received_at = reader.Time();
  state.first_received_at = reader.Time();
  state.receives = static_cast<int64_t>(reader.Number());
  state.receives_here = static_cast<int64_t>(reader.Number());
  state.receipt = reader.Number();
  if (!reader.ok()) return Damaged();
  return state;
}

}  // namespace byoshin::local::sqs
