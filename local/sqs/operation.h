// SQS's operations: convert parameters to a job for the engine, and its result
// to an answer.
//
//   const Operation* operation = FindOperation("SendMessage");
//   absl::StatusOr<Job> job = operation->prepare(*fields, context);
//   ...
//   (*job)(engine, [](absl::StatusOr<WriteOutput> result) { ... });
#ifndef BYOSHIN_LOCAL_SQS_OPERATION_H_
#define BYOSHIN_LOCAL_SQS_OPERATION_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"
#include "local/sqs/address.h"
#include "local/sqs/engine.h"
#include "local/sqs/output.h"

namespace byoshin::local::sqs {

// The context of a request in addition to its parameters.
struct RequestContext {
  std::string region{};
  std::string endpoint{};
  std::string account_id{};
  // The path of the URL; names the queue if the parameters don't.
  std::string path = "/";
  // The header X-Amzn-Trace-Id: the trace of messages that name no other.
  std::string trace_id{};
  std::function<bool()> connected = [] { return true; };
  std::function<void()> let_time_pass = [] {};
};

using WriteOutput = std::function<void(Output& output)>;
// Called once, after the commit.
using Reply = std::function<void(const absl::StatusOr<WriteOutput>& result)>;
// Runs on the engine's thread.
using Job = std::function<void(Engine& engine, Reply reply)>;

// How long an operation may take.
enum class Effort {
  kShort,  // a few messages
  kLong,
};

struct Operation {
  absl::string_view name{};
  // Called on any thread. Finds all errors that don't depend on the engine.
  absl::StatusOr<Job> (*prepare)(JsonFields& fields,
                                 const RequestContext& context) = nullptr;
  XmlResult xml_result = XmlResult::kElement;
  Effort effort = Effort::kLong;
  // Whether it is called on the path of a queue, too.
  enum class Paths { kAll, kRootOnly } paths = Paths::kAll;
};

// nullptr if SQS has no such operation.
const Operation* FindOperation(absl::string_view name);

// queue_operations.cc
absl::StatusOr<Job> PrepareCreateQueue(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareGetQueueUrl(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareGetQueueAttributes(JsonFields&,
                                              const RequestContext&);
absl::StatusOr<Job> PrepareSetQueueAttributes(JsonFields&,
                                              const RequestContext&);
absl::StatusOr<Job> PrepareListQueues(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareListDeadLetterSourceQueues(JsonFields&,
                                                      const RequestContext&);
absl::StatusOr<Job> PrepareDeleteQueue(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PreparePurgeQueue(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareTagQueue(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareUntagQueue(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareListQueueTags(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareAddPermission(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareRemovePermission(JsonFields&, const RequestContext&);

// message_operations.cc
absl::StatusOr<Job> PrepareSendMessage(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareSendMessageBatch(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareDeleteMessage(JsonFields&, const RequestContext&);
absl::StatusOr<Job> PrepareDeleteMessageBatch(JsonFields&,
                                              const RequestContext&);
absl::StatusOr<Job> PrepareChangeMessageVisibility(JsonFields&,
                                                   const RequestContext&);
absl::StatusOr<Job> PrepareChangeMessageVisibilityBatch(JsonFields&,
                                                        const RequestContext&);

// receive_operation.cc
absl::StatusOr<Job> PrepareReceiveMessage(JsonFields&, const RequestContext&);

// move_operations.cc
absl::StatusOr<Job> PrepareStartMessageMoveTask(JsonFields&,
                                                const RequestContext&);
absl::StatusOr<Job> PrepareListMessageMoveTasks(JsonFields&,
                                                const RequestContext&);
absl::StatusOr<Job> PrepareCancelMessageMoveTask(JsonFields&,
                                                 const RequestContext&);

// Shared by them; operation.cc.

// The queue of a request.
absl::StatusOr<QueueAddress> QueueOf(JsonFields& fields,
                                     const RequestContext& context);
// MissingParameter if the text is absent or empty.
absl::StatusOr<std::string> Required(JsonFields& fields,
                                     absl::string_view name);

// Replies once the current work is committed.
void ReplyOnCommit(Engine& engine, Reply reply,
                   absl::StatusOr<WriteOutput> result);
// For operations without a result.
void ReplyOnCommit(Engine& engine, Reply reply, const absl::Status& status);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_OPERATION_H_
