#include "local/sqs/operation.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"
#include "local/sqs/address.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/output.h"

namespace byoshin::local::sqs {
namespace {

constexpr Operation kOperations[] = {
    {"SendMessage", PrepareSendMessage, XmlResult::kElement, Effort::kShort},
    {"ReceiveMessage", PrepareReceiveMessage, XmlResult::kElement,
     Effort::kShort},
    {"DeleteMessage", PrepareDeleteMessage, XmlResult::kNone, Effort::kShort},
    {"SendMessageBatch", PrepareSendMessageBatch, XmlResult::kElement,
     Effort::kShort},
    {"DeleteMessageBatch", PrepareDeleteMessageBatch, XmlResult::kElement,
     Effort::kShort},
    {"ChangeMessageVisibility", PrepareChangeMessageVisibility,
     XmlResult::kNone, Effort::kShort},
    {"ChangeMessageVisibilityBatch", PrepareChangeMessageVisibilityBatch,
     XmlResult::kElement, Effort::kShort},
    {"CreateQueue", PrepareCreateQueue, XmlResult::kElement, Effort::kLong,
     Operation::Paths::kRootOnly},
    {"GetQueueUrl", PrepareGetQueueUrl},
    {"GetQueueAttributes", PrepareGetQueueAttributes},
    {"SetQueueAttributes", PrepareSetQueueAttributes, XmlResult::kNone},
    {"ListQueues", PrepareListQueues, XmlResult::kElement, Effort::kLong,
     Operation::Paths::kRootOnly},
    {"ListDeadLetterSourceQueues", PrepareListDeadLetterSourceQueues},
    {"DeleteQueue", PrepareDeleteQueue, XmlResult::kNone},
    {"PurgeQueue", PreparePurgeQueue, XmlResult::kNone},
    {"TagQueue", PrepareTagQueue, XmlResult::kNone},
    {"UntagQueue", PrepareUntagQueue, XmlResult::kNone},
    {"ListQueueTags", PrepareListQueueTags},
    {"StartMessageMoveTask", PrepareStartMessageMoveTask},
    {"ListMessageMoveTasks", PrepareListMessageMoveTasks},
    {"CancelMessageMoveTask", PrepareCancelMessageMoveTask},
    {"AddPermission", PrepareAddPermission, XmlResult::kNone},
    {"RemovePermission", PrepareRemovePermission, XmlResult::kNone},
};

}  // namespace

const Operation* FindOperation(absl::string_view name) {
  for (const Operation& operation : kOperations) {
    if (operation.name == name) return &operation;
  }
  return nullptr;
}

absl::StatusOr<QueueAddress> QueueOf(JsonFields& fields,
                                     const RequestContext& context) {
  std::string url = fields.Text("QueueUrl");
  if (!fields.status().ok()) return fields.status();
  if (url.empty()) {
    if (context.path.size() <= 1) return MissingParameter("QueueUrl");
    url = context.path;
  }
  absl::StatusOr<std::string> name = QueueNameOfUrl(url, context.account_id);
  if (!name.ok()) return name.status();
  return QueueAddress{.region = context.region, .name = *std::move(name)};
}

absl::StatusOr<std::string> Required(JsonFields& fields,
                                     absl::string_view name) {
  std::string text = fields.Text(name);
  if (!fields.status().ok()) return fields.status();
  if (text.empty()) return MissingParameter(name);
  return text;
}

void ReplyOnCommit(Engine& engine, Reply reply,
                   absl::StatusOr<WriteOutput> result) {
  engine.OnCommit([reply = std::move(reply),
                   result = std::move(result)](const absl::Status& committed) {
    reply(committed.ok() ? result : absl::StatusOr<WriteOutput>(committed));
  });
}

void ReplyOnCommit(Engine& engine, Reply reply, const absl::Status& status) {
  ReplyOnCommit(engine, std::move(reply),
                status.ok() ? absl::StatusOr<WriteOutput>([](Output&) {})
                            : absl::StatusOr<WriteOutput>(status));
}

}  // namespace byoshin::local::sqs
