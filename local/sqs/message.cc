#include "local/sqs/message.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
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

absl::Status CheckGroup(const NewMessage& message) {
  if (!message.deduplication_id.empty()) {
    return InvalidParameter("MessageDeduplicationId", message.deduplication_id,
                            "The request includes a parameter that is not "
                            "valid for this queue type.");
  }
  if (message.group_id.size() > kMaxGroupIdBytes ||
      !std::all_of(message.group_id.begin(), message.group_id.end(),
                   [](char c) {
                     return absl::ascii_isgraph(static_cast<unsigned char>(c));
                   })) {
    return InvalidParameter("MessageGroupId", message.group_id,
                            "MessageGroupId can only include alphanumeric and "
                            "punctuation characters. 1 to 128 in length.");
  }
  return absl::OkStatus();
}

absl::Status Check(const NewMessage& message) {
  if (message.body.empty()) return MissingParameter("MessageBody");
  if (message.delay.has_value()) {
    if (absl::Status status = CheckDelay(*message.delay); !status.ok()) {
      return status;
    }
  }
  if (absl::Status status = CheckGroup(message); !status.ok()) return status;
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

absl::StatusOr<PreparedMessage> Prepare(const NewMessage& message,
                                        absl::string_view sender_id) {
  if (absl::Status status = Check(message); !status.ok()) return status;
  PreparedMessage prepared{
      .delay = message.delay,
      .bytes = static_cast<int64_t>(message.body.size()) +
               BytesOf(message.attributes),
      .md5_of_body = crypto::HexEncode(crypto::Md5(message.body)),
      .md5_of_attributes = Md5OfMessageAttributes(message.attributes),
      .md5_of_system_attributes =
          Md5OfMessageAttributes(message.system_attributes)};
  std::string& content = prepared.content;
  content.reserve(message.body.size() + 256);
  AppendText(sender_id, content);
  AppendText(message.group_id, content);
  const auto trace = message.system_attributes.find("AWSTraceHeader");
  AppendText(
      trace == message.system_attributes.end() ? "" : trace->second.value(),
      content);
  AppendText(prepared.md5_of_body, content);
  AppendText(message.body, content);
  AppendAttributes(message.attributes, content);
  return prepared;
}

std::string EncodeMessage(const MessageHeader& header,
                          absl::string_view content) {
  std::string record;
  record.reserve(content.size() + 128);
  AppendText(header.id, record);
  AppendTime(header.sent_at, record);
  AppendTime(header.available_at, record);
  AppendText(header.dead_letter_source, record);
  record.append(content.data(), content.size());
  return record;
}

absl::StatusOr<MessageHeader> DecodeHeader(absl::string_view record,
                                           absl::string_view* content) {
  RecordReader reader(record);
  MessageHeader header;
  header.id = std::string(reader.Text());
  header.sent_at = reader.Time();
  header.available_at = reader.Time();
  header.dead_letter_source = std::string(reader.Text());
  if (!reader.ok()) return Damaged();
  *content = reader.rest();
  return header;
}

absl::StatusOr<StoredMessage> DecodeMessage(absl::string_view record) {
  absl::string_view rest;
  absl::StatusOr<MessageHeader> header = DecodeHeader(record, &rest);
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
