#include "local/sqs/permissions.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/gateway/permission.h"

namespace byoshin::local::sqs {
namespace {

std::string QueueNameOf(const Call& call) {
  const std::string name = ParameterOf(call, "QueueName");
  if (!name.empty()) return name;
  const std::string url = ParameterOf(call, "QueueUrl");
  const absl::string_view path = url.empty() ? call.path : url;
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

NeededPermission PermissionFor(const Call& call) {
  // The actions on batches are those on single messages.
  const absl::string_view action = absl::StripSuffix(call.operation, "Batch");
  const std::string queue =
      call.operation == "ListQueues" ? "" : QueueNameOf(call);
  return {.action = absl::StrCat("sqs:", action),
          .resource = queue.empty() ? "*" : ArnFor(call, "sqs", queue)};
}

}  // namespace byoshin::local::sqs
