// The parameters and answer of ReceiveMessage; see receive.cc.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/message_attribute.h"
#include "local/sqs/operation.h"
#include "local/sqs/output.h"
#include "local/sqs/queue_settings.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

constexpr absl::string_view kSystemAttributeNames[] = {
    "All",
    "SenderId",
    "SentTimestamp",
    "ApproximateReceiveCount",
    "ApproximateFirstReceiveTimestamp",
    "SequenceNumber",
    "MessageDeduplicationId",
    "MessageGroupId",
    "AWSTraceHeader",
    "DeadLetterQueueSourceArn"};

// The attributes that the receiver asks for.
struct Wanted {
  std::vector<std::string> system_attributes{};
  std::vector<std::string> attributes{};
};

absl::Status CheckSystemAttributeNames(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(std::begin(kSystemAttributeNames),
                  std::end(kSystemAttributeNames),
                  name) == std::end(kSystemAttributeNames)) {
      return UnknownAttribute(name);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<absl::Duration>> ReadSeconds(
    JsonFields& fields, absl::string_view name, absl::Duration most) {
  const std::optional<int64_t> seconds = fields.FindInteger(name);
  if (!seconds.has_value()) return std::nullopt;
  if (*seconds < 0 || *seconds > absl::ToInt64Seconds(most)) {
    return InvalidParameter(
        name, absl::StrCat(*seconds),
        absl::StrCat("Must be >= 0 and <= ", absl::ToInt64Seconds(most),
                     ", if provided."));
  }
  return absl::Seconds(*seconds);
}

absl::StatusOr<ReceiveMessageRequest> ReadRequest(
    JsonFields& fields, const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  const int64_t most = fields.FindInteger("MaxNumberOfMessages").value_or(1);
  if (most < 1 || most > kMaxMessagesPerReceive) {
    return InvalidParameter(
        "MaxNumberOfMessages", absl::StrCat(most),
        absl::StrCat("Must be between 1 and ", kMaxMessagesPerReceive,
                     ", if provided."));
  }
  const absl::StatusOr<std::optional<absl::Duration>> wait =
      ReadSeconds(fields, "WaitTimeSeconds", kMaxWait);
  if (!wait.ok()) return wait.status();
  const absl::StatusOr<std::optional<absl::Duration>> timeout =
      ReadSeconds(fields, "VisibilityTimeout", kMaxVisibilityTimeout);
  if (!timeout.ok()) return timeout.status();
  std::optional<std::string> attempt_id =
      fields.FindText("ReceiveRequestAttemptId");
  if (absl::Status status = CheckFifoId("ReceiveRequestAttemptId", attempt_id);
      !status.ok()) {
    return status;
  }
  return ReceiveMessageRequest{.queue = *std::move(queue),
                               .max_messages = static_cast<int>(most),
                               .visibility_timeout = *timeout,
                               .wait = *wait,
                               .attempt_id = std::move(attempt_id),
                               .connected = context.connected,
                               .let_time_pass = context.let_time_pass};
}

absl::StatusOr<Wanted> ReadWanted(JsonFields& fields) {
  Wanted wanted{
      .system_attributes = fields.Texts("MessageSystemAttributeNames"),
      .attributes = fields.Texts("MessageAttributeNames")};
  // The older parameter also accepts the names of queue attributes, which
  // messages don't have.
  for (std::string& name : fields.Texts("AttributeNames")) {
    if (name == "All" || !IsAttributeName(name)) {
      wanted.system_attributes.push_back(std::move(name));
    }
  }
  if (absl::Status status = CheckSystemAttributeNames(wanted.system_attributes);
      !status.ok()) {
    return status;
  }
  return wanted;
}

std::string Milliseconds(absl::Time time) {
  return absl::StrCat(absl::ToUnixMillis(time));
}

StringMap SystemAttributes(const ReceivedMessage& received,
                           const std::vector<std::string>& wanted) {
  if (wanted.empty()) return {};
  const MessageHeader& header = received.message.header;
  const MessageContent& content = received.message.content;
  StringMap all{{"SenderId", content.sender_id},
                {"SentTimestamp", Milliseconds(header.sent_at)},
                {"ApproximateReceiveCount", absl::StrCat(received.receives)},
                {"ApproximateFirstReceiveTimestamp",
                 Milliseconds(received.first_received_at)}};
  if (!content.trace_header.empty()) {
    all["AWSTraceHeader"] = content.trace_header;
  }
  if (!content.group_id.empty()) all["MessageGroupId"] = content.group_id;
  if (header.sequence != 0) {
    all["SequenceNumber"] = FormatSequenceNumber(header.sequence);
    all["MessageDeduplicationId"] = header.deduplication_id;
  }
  if (!header.dead_letter_source.empty()) {
    all["DeadLetterQueueSourceArn"] = header.dead_letter_source;
  }
  if (std::find(wanted.begin(), wanted.end(), "All") != wanted.end()) {
    return all;
  }
  StringMap some;
  for (const std::string& name : wanted) {
    const auto found = all.find(name);
    if (found != all.end()) some.insert(*found);
  }
  return some;
}

MessageAttributes UserAttributes(const MessageContent& content,
                                 const std::vector<std::string>& wanted) {
  MessageAttributes attributes;
  for (const auto& [name, attribute] : content.attributes) {
    if (Wants(wanted, name)) attributes.emplace(name, attribute);
  }
  return attributes;
}

void WriteAttributes(const MessageAttributes& attributes, Output& out) {
  if (attributes.empty()) return;
  out.Text("MD5OfMessageAttributes", Md5OfMessageAttributes(attributes));
  out.BeginMap("MessageAttributes");
  for (const auto& [name, attribute] : attributes) {
    out.BeginEntry(name);
    if (attribute.is_binary()) {
      out.Text("BinaryValue", absl::Base64Escape(*attribute.binary_value));
    } else {
      out.Text("StringValue", *attribute.string_value);
    }
    out.Text("DataType", attribute.data_type);
    out.EndEntry();
  }
  out.EndMap();
}

void WriteMessage(const ReceivedMessage& received, const Wanted& wanted,
                  Output& out) {
  const MessageContent& content = received.message.content;
  out.BeginItem();
  out.Text("MessageId", received.message.header.id);
  out.Text("ReceiptHandle", received.receipt_handle);
  out.Text("MD5OfBody", content.md5_of_body);
  out.Text("Body", content.body);
  const StringMap system_attributes =
      SystemAttributes(received, wanted.system_attributes);
  if (!system_attributes.empty()) out.TextMap("Attributes", system_attributes);
  WriteAttributes(UserAttributes(content, wanted.attributes), out);
  out.EndItem();
}

}  // namespace

absl::StatusOr<Job> PrepareReceiveMessage(JsonFields& fields,
                                          const RequestContext& context) {
  absl::StatusOr<ReceiveMessageRequest> request = ReadRequest(fields, context);
  if (!request.ok()) return request.status();
  absl::StatusOr<Wanted> wanted = ReadWanted(fields);
  if (!fields.status().ok()) return fields.status();
  if (!wanted.ok()) return wanted.status();
  return [request = *std::move(request), wanted = *std::move(wanted)](
             Engine& engine, Reply reply) {
    // The engine calls back after the commit.
    engine.ReceiveMessage(request, [reply = std::move(reply),
                                    wanted](const ReceiveResult& result) {
      if (!result.ok()) return reply(result.status());
      reply(WriteOutput([&](Output& out) {
        // AWS omits an empty list, and clients rely on that.
        if (result->empty()) return;
        out.BeginList("Messages");
        for (const ReceivedMessage& message : *result) {
          WriteMessage(message, wanted, out);
        }
        out.EndList();
      }));
    });
  };
}

}  // namespace byoshin::local::sqs
