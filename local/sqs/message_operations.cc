// The parameters and answers of the operations in send.cc and receipts.cc,
// which name AWS's documentation of each.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/error.h"
#include "local/gateway/json_fields.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/message.h"
#include "local/sqs/message_attribute.h"
#include "local/sqs/operation.h"
#include "local/sqs/output.h"

namespace byoshin::local::sqs {
namespace {

absl::StatusOr<MessageAttributes> ReadAttributes(JsonFields& fields,
                                                 absl::string_view name) {
  MessageAttributes attributes;
  for (auto& [key, value] : fields.ObjectMap(name)) {
    if (value.Has("StringListValues") || value.Has("BinaryListValues")) {
      return UnsupportedOperation(
          "Message attribute list values in SendMessage operation are not "
          "supported.");
    }
    attributes.emplace(
        key, MessageAttribute{.data_type = value.Text("DataType"),
                              .string_value = value.FindText("StringValue"),
                              .binary_value = value.Bytes("BinaryValue")});
  }
  return attributes;
}

absl::StatusOr<PreparedMessage> ReadMessage(JsonFields& fields,
                                            const RequestContext& context) {
  absl::StatusOr<MessageAttributes> attributes =
      ReadAttributes(fields, "MessageAttributes");
  if (!attributes.ok()) return attributes.status();
  absl::StatusOr<MessageAttributes> system_attributes =
      ReadAttributes(fields, "MessageSystemAttributes");
  if (!system_attributes.ok()) return system_attributes.status();
  NewMessage message{
      .body = fields.Text("MessageBody"),
      .attributes = *std::move(attributes),
      .system_attributes = *std::move(system_attributes),
      .trace_id = context.trace_id,
      .group_id = fields.FindText("MessageGroupId"),
      .deduplication_id = fields.FindText("MessageDeduplicationId")};
  if (const std::optional<int64_t> delay = fields.FindInteger("DelaySeconds")) {
    message.delay = absl::Seconds(*delay);
  }
  if (!fields.status().ok()) return fields.status();
  return Prepare(message, context.account_id);
}

absl::StatusOr<VisibilityChange> ReadVisibilityChange(JsonFields& fields) {
  const std::optional<int64_t> timeout =
      fields.FindInteger("VisibilityTimeout");
  absl::StatusOr<std::string> handle = Required(fields, "ReceiptHandle");
  if (!handle.ok()) return handle.status();
  if (!timeout.has_value()) return MissingParameter("VisibilityTimeout");
  return VisibilityChange{.receipt_handle = *std::move(handle),
                          .timeout = absl::Seconds(*timeout)};
}

void WriteSent(const SendMessageResult& sent, Output& out) {
  out.Text("MessageId", sent.message_id);
  out.Text("MD5OfMessageBody", sent.md5_of_body);
  out.TextUnlessEmpty("MD5OfMessageAttributes", sent.md5_of_attributes);
  out.TextUnlessEmpty("MD5OfMessageSystemAttributes",
                      sent.md5_of_system_attributes);
  out.TextUnlessEmpty("SequenceNumber", sent.sequence_number);
}

void WriteFailed(absl::string_view id, const absl::Status& status,
                 Output& out) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  out.BeginItem();
  out.Text("Id", id);
  out.Boolean("SenderFault", error.http_status < 500);
  out.Text("Code", error.query_code.empty() ? error.code : error.query_code);
  out.Text("Message", error.message);
  out.EndItem();
}

void WriteEntry(const SendMessageResult& sent, Output& out) {
  WriteSent(sent, out);
}
void WriteEntry(const Nothing&, Output&) {}

template <typename T>
absl::StatusOr<WriteOutput> WriteBatch(
    const absl::StatusOr<BatchResult<T>>& results) {
  if (!results.ok()) return results.status();
  return [results = *results](Output& out) {
    out.BeginList("Successful");
    for (const BatchEntry<T>& entry : results) {
      if (!entry.value.ok()) continue;
      out.BeginItem();
      out.Text("Id", entry.id);
      WriteEntry(*entry.value, out);
      out.EndItem();
    }
    out.EndList();
    bool failed = false;
    for (const BatchEntry<T>& entry : results) {
      if (entry.value.ok()) continue;
      if (!failed) out.BeginList("Failed");
      failed = true;
      WriteFailed(entry.id, entry.value.status(), out);
    }
    if (failed) out.EndList();
  };
}

std::string IdOf(JsonFields& entry) { return entry.Text("Id"); }

}  // namespace

absl::StatusOr<Job> PrepareSendMessage(JsonFields& fields,
                                       const RequestContext& context) {
  SendMessageRequest request;
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  absl::StatusOr<PreparedMessage> message = ReadMessage(fields, context);
  if (!message.ok()) return message.status();
  request.queue = *std::move(queue);
  request.message = *std::move(message);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    absl::StatusOr<SendMessageResult> result = engine.SendMessage(request);
    if (!result.ok()) {
      return ReplyOnCommit(engine, std::move(reply), result.status());
    }
    ReplyOnCommit(engine, std::move(reply),
                  WriteOutput([sent = *std::move(result)](Output& out) {
                    WriteSent(sent, out);
                  }));
  };
}

absl::StatusOr<Job> PrepareSendMessageBatch(JsonFields& fields,
                                            const RequestContext& context) {
  SendMessageBatchRequest request;
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  for (JsonFields& entry : fields.Objects("Entries")) {
    request.entries.push_back({IdOf(entry), ReadMessage(entry, context)});
  }
  if (!fields.status().ok()) return fields.status();
  return [request = std::move(request)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  WriteBatch(engine.SendMessageBatch(request)));
  };
}

absl::StatusOr<Job> PrepareDeleteMessage(JsonFields& fields,
                                         const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  absl::StatusOr<std::string> handle = Required(fields, "ReceiptHandle");
  if (!handle.ok()) return handle.status();
  return [queue = *std::move(queue), handle = *std::move(handle)](
             Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  engine.DeleteMessage(queue, handle));
  };
}

absl::StatusOr<Job> PrepareDeleteMessageBatch(JsonFields& fields,
                                              const RequestContext& context) {
  DeleteMessageBatchRequest request;
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  for (JsonFields& entry : fields.Objects("Entries")) {
    request.entries.push_back({IdOf(entry), Required(entry, "ReceiptHandle")});
  }
  if (!fields.status().ok()) return fields.status();
  return [request = std::move(request)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  WriteBatch(engine.DeleteMessageBatch(request)));
  };
}

absl::StatusOr<Job> PrepareChangeMessageVisibility(
    JsonFields& fields, const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  absl::StatusOr<VisibilityChange> change = ReadVisibilityChange(fields);
  if (!change.ok()) return change.status();
  return [queue = *std::move(queue), change = *std::move(change)](
             Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  engine.ChangeMessageVisibility(queue, change));
  };
}

absl::StatusOr<Job> PrepareChangeMessageVisibilityBatch(
    JsonFields& fields, const RequestContext& context) {
  ChangeMessageVisibilityBatchRequest request;
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  for (JsonFields& entry : fields.Objects("Entries")) {
    request.entries.push_back({IdOf(entry), ReadVisibilityChange(entry)});
  }
  if (!fields.status().ok()) return fields.status();
  return [request = std::move(request)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  WriteBatch(engine.ChangeMessageVisibilityBatch(request)));
  };
}

}  // namespace byoshin::local::sqs
