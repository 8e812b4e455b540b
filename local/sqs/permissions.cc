#include "local/sqs/permissions.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/gateway/permission.h"
#include "local/sqs/address.h"
#include "local/sqs/engine.h"

namespace byoshin::local::sqs {
namespace {

// The ARN as policies name the queue: the engine takes ARNs of any partition,
// so that a caller could name a queue by one that no policy is about.
std::string CanonicalArn(const std::string& arn,
                         const std::string& account_id) {
  const std::optional<QueueAddress> queue = QueueOfArn(arn, account_id);
  return queue.has_value() ? ArnOf(*queue, account_id) : arn;
}

// Only the parameter that the operation reads: a caller could add another that
// names a queue it has permissions for. Empty if there is none.
std::string QueueArnOf(const Call& call) {
  const std::string& operation = call.operation;
  if (operation == "StartMessageMoveTask" ||
      operation == "ListMessageMoveTasks") {
    return CanonicalArn(ParameterOf(call, "SourceArn"), call.caller.account_id);
  }
  if (operation == "CancelMessageMoveTask") {
    return CanonicalArn(
        Engine::SourceArnIn(ParameterOf(call, "TaskHandle")).value_or(""),
        call.caller.account_id);
  }
  if (operation == "ListQueues") return "";
  const bool by_name = operation == "CreateQueue" || operation == "GetQueueUrl";
  const std::string named =
      ParameterOf(call, by_name ? "QueueName" : "QueueUrl");
  const absl::string_view path =
      named.empty() && !by_name ? absl::string_view(call.path) : named;
  const absl::string_view queue = path.substr(path.rfind('/') + 1);
  return queue.empty() ? "" : ArnFor(call, "sqs", queue);
}

}  // namespace

NeededPermission PermissionFor(const Call& call) {
  // The actions on batches are those on single messages.
  const absl::string_view action = absl::StripSuffix(call.operation, "Batch");
  const std::string queue_arn = QueueArnOf(call);
  return {.action = absl::StrCat("sqs:", action),
          .resource = queue_arn.empty() ? "*" : queue_arn};
}

}  // namespace byoshin::local::sqs
