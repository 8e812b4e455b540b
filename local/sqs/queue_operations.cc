// The parameters and answers of the operations in queues.cc and tags.cc, which
// name AWS's documentation of each.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/operation.h"
#include "local/sqs/output.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

WriteOutput WriteQueueUrl(std::string url) {
  return [url = std::move(url)](Output& out) { out.Text("QueueUrl", url); };
}

WriteOutput WriteTextMap(absl::string_view name, StringMap map) {
  return [name, map = std::move(map)](Output& out) { out.TextMap(name, map); };
}

// `name` is "QueueUrls", or "queueUrls" where AWS spells it so.
absl::StatusOr<WriteOutput> WriteList(const absl::StatusOr<QueueList>& list,
                                      absl::string_view name,
                                      const RequestContext& context) {
  if (!list.ok()) return list.status();
  std::vector<std::string> urls;
  for (const QueueAddress& queue : list->queues) {
    urls.push_back(UrlOf(queue, context.endpoint, context.account_id));
  }
  return [name, urls = std::move(urls),
          next_token = list->next_token](Output& out) {
    out.Texts(name, urls);
    out.TextUnlessEmpty("NextToken", next_token);
  };
}

}  // namespace

absl::StatusOr<Job> PrepareCreateQueue(JsonFields& fields,
                                       const RequestContext& context) {
  CreateQueueRequest request{.attributes = fields.TextMap("Attributes"),
                             .tags = fields.TextMap("tags")};
  if (request.tags.empty()) request.tags = fields.TextMap("Tags");
  std::optional<std::string> name = fields.FindText("QueueName");
  if (!fields.status().ok()) return fields.status();
  // An empty name is present but invalid.
  if (!name.has_value()) return MissingParameter("QueueName");
  request.queue = {.region = context.region, .name = *std::move(name)};
  return [request = std::move(request), url_parts = context](Engine& engine,
                                                             Reply reply) {
    const absl::Status status = engine.CreateQueue(request);
    if (!status.ok()) return ReplyOnCommit(engine, std::move(reply), status);
    ReplyOnCommit(engine, std::move(reply),
                  WriteQueueUrl(UrlOf(request.queue, url_parts.endpoint,
                                      url_parts.account_id)));
  };
}

absl::StatusOr<Job> PrepareGetQueueUrl(JsonFields& fields,
                                       const RequestContext& context) {
  const std::string owner =
      fields.FindText("QueueOwnerAWSAccountId").value_or(context.account_id);
  absl::StatusOr<std::string> name = Required(fields, "QueueName");
  if (!name.ok()) return name.status();
  if (owner != context.account_id) return QueueDoesNotExist();
  QueueAddress queue{.region = context.region, .name = *std::move(name)};
  return [queue = std::move(queue), url_parts = context](Engine& engine,
                                                         Reply reply) {
    const absl::Status status = engine.GetQueueUrl(queue);
    if (!status.ok()) return ReplyOnCommit(engine, std::move(reply), status);
    ReplyOnCommit(
        engine, std::move(reply),
        WriteQueueUrl(UrlOf(queue, url_parts.endpoint, url_parts.account_id)));
  };
}

absl::StatusOr<Job> PrepareGetQueueAttributes(JsonFields& fields,
                                              const RequestContext& context) {
  GetQueueAttributesRequest request{.names = fields.Texts("AttributeNames")};
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    absl::StatusOr<StringMap> map = engine.GetQueueAttributes(request);
    if (!map.ok()) {
      return ReplyOnCommit(engine, std::move(reply), map.status());
    }
    ReplyOnCommit(engine, std::move(reply),
                  WriteTextMap("Attributes", *std::move(map)));
  };
}

absl::StatusOr<Job> PrepareSetQueueAttributes(JsonFields& fields,
                                              const RequestContext& context) {
  SetQueueAttributesRequest request{.attributes = fields.TextMap("Attributes")};
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  if (request.attributes.empty()) return MissingParameter("Attributes");
  request.queue = *std::move(queue);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply), engine.SetQueueAttributes(request));
  };
}

absl::StatusOr<Job> PrepareListQueues(JsonFields& fields,
                                      const RequestContext& context) {
  ListQueuesRequest request{.region = context.region,
                            .prefix = fields.Text("QueueNamePrefix"),
                            .max_results = fields.FindInteger("MaxResults"),
                            .next_token = fields.Text("NextToken")};
  if (!fields.status().ok()) return fields.status();
  return [request = std::move(request), context](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  WriteList(engine.ListQueues(request), "QueueUrls", context));
  };
}

absl::StatusOr<Job> PrepareListDeadLetterSourceQueues(
    JsonFields& fields, const RequestContext& context) {
  ListDeadLetterSourceQueuesRequest request{
      .max_results = fields.FindInteger("MaxResults"),
      .next_token = fields.Text("NextToken")};
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  return [request = std::move(request), context](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  WriteList(engine.ListDeadLetterSourceQueues(request),
                            "queueUrls", context));
  };
}

absl::StatusOr<Job> PrepareDeleteQueue(JsonFields& fields,
                                       const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  return [queue = *std::move(queue)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply), engine.DeleteQueue(queue));
  };
}

absl::StatusOr<Job> PreparePurgeQueue(JsonFields& fields,
                                      const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  return [queue = *std::move(queue)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply), engine.PurgeQueue(queue));
  };
}

absl::StatusOr<Job> PrepareTagQueue(JsonFields& fields,
                                    const RequestContext& context) {
  TagQueueRequest request{.tags = fields.TextMap("Tags")};
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply), engine.TagQueue(request));
  };
}

absl::StatusOr<Job> PrepareUntagQueue(JsonFields& fields,
                                      const RequestContext& context) {
  UntagQueueRequest request{.keys = fields.Texts("TagKeys")};
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  request.queue = *std::move(queue);
  return [request = std::move(request)](Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply), engine.UntagQueue(request));
  };
}

absl::StatusOr<Job> PrepareListQueueTags(JsonFields& fields,
                                         const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  return [queue = *std::move(queue)](Engine& engine, Reply reply) {
    absl::StatusOr<StringMap> tags = engine.ListQueueTags(queue);
    if (!tags.ok()) {
      return ReplyOnCommit(engine, std::move(reply), tags.status());
    }
    ReplyOnCommit(engine, std::move(reply),
                  WriteTextMap("Tags", *std::move(tags)));
  };
}

absl::StatusOr<Job> PrepareAddPermission(JsonFields& fields,
                                         const RequestContext& context) {
  Permission permission{.account_ids = fields.Texts("AWSAccountIds"),
                        .actions = fields.Texts("Actions")};
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  absl::StatusOr<std::string> label = Required(fields, "Label");
  if (!label.ok()) return label.status();
  permission.label = *std::move(label);
  return [queue = *std::move(queue), permission = std::move(permission)](
             Engine& engine, Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  engine.AddPermission(queue, permission));
  };
}

absl::StatusOr<Job> PrepareRemovePermission(JsonFields& fields,
                                            const RequestContext& context) {
  absl::StatusOr<QueueAddress> queue = QueueOf(fields, context);
  if (!queue.ok()) return queue.status();
  absl::StatusOr<std::string> label = Required(fields, "Label");
  if (!label.ok()) return label.status();
  return [queue = *std::move(queue), label = *std::move(label)](Engine& engine,
                                                                Reply reply) {
    ReplyOnCommit(engine, std::move(reply),
                  engine.RemovePermission(queue, label));
  };
}

}  // namespace byoshin::local::sqs
