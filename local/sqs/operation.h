// SQS's operations between a protocol and the engine: from parameters to a job,
// from its result to an answer.
//
//   const Operation* operation = FindOperation("SendMessage");
//   absl::StatusOr<Job> job = operation->prepare(*input, context);
//   ...
//   (*job)(engine, [](absl::StatusOr<WriteOutput> result) { ... });
#ifndef BYOSHIN_LOCAL_SQS_OPERATION_H_
#define BYOSHIN_LOCAL_SQS_OPERATION_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/sqs/address.h"
#include "local/sqs/engine.h"
#include "local/sqs/input.h"
#include "local/sqs/output.h"

namespace byoshin::local::sqs {

// What a request says beside its parameters.
struct RequestContext {
  std::string region{};
  std::string endpoint{};
  std::string account_id{};
  // Of the URL; names the queue if the parameters don't.
  std::string path = "/";
  std::function<bool()> connected = [] { return true; };
  std::function<void()> let_time_pass = [] {};
};

using WriteOutput = std::function<void(Output& output)>;
// Called once, after the commit.
using Reply = std::function<void(const absl::StatusOr<WriteOutput>& result)>;
// Runs where the engine is used, one at a time.
using Job = std::function<void(Engine& engine, Reply reply)>;

// How much work an operation may be.
enum class Effort {
  kShort,  // a few messages
  kLong,
};

struct Operation {
  absl::string_view name{};
  // On any thread. What can be found wrong without the engine is found here.
  absl::StatusOr<Job> (*prepare)(Input& input,
                                 const RequestContext& context) = nullptr;
  XmlResult xml_result = XmlResult::kElement;
  Effort effort = Effort::kLong;
};

// nullptr if SQS has no such operation.
const Operation* FindOperation(absl::string_view name);

// queue_operations.cc
absl::StatusOr<Job> PrepareCreateQueue(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareGetQueueUrl(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareGetQueueAttributes(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareSetQueueAttributes(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareListQueues(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareListDeadLetterSourceQueues(Input&,
                                                      const RequestContext&);
absl::StatusOr<Job> PrepareDeleteQueue(Input&, const RequestContext&);
absl::StatusOr<Job> PreparePurgeQueue(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareTagQueue(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareUntagQueue(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareListQueueTags(Input&, const RequestContext&);

// message_operations.cc
absl::StatusOr<Job> PrepareSendMessage(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareSendMessageBatch(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareDeleteMessage(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareDeleteMessageBatch(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareChangeMessageVisibility(Input&,
                                                   const RequestContext&);
absl::StatusOr<Job> PrepareChangeMessageVisibilityBatch(Input&,
                                                        const RequestContext&);

// receive_operation.cc
absl::StatusOr<Job> PrepareReceiveMessage(Input&, const RequestContext&);

// move_operations.cc
absl::StatusOr<Job> PrepareStartMessageMoveTask(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareListMessageMoveTasks(Input&, const RequestContext&);
absl::StatusOr<Job> PrepareCancelMessageMoveTask(Input&, const RequestContext&);

// Shared by them; operation.cc.

// The queue that a request is about.
absl::StatusOr<QueueAddress> QueueOf(Input& input,
                                     const RequestContext& context);
// A text that must be there; empty if it is not, and the error says so.
absl::StatusOr<std::string> Required(Input& input, absl::string_view name);

// Replies once the work under way is committed.
void ReplyOnCommit(Engine& engine, Reply reply,
                   absl::StatusOr<WriteOutput> result);
// For operations that answer nothing.
void ReplyOnCommit(Engine& engine, Reply reply, const absl::Status& status);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_OPERATION_H_
