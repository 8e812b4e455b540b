// The statements that AddPermission adds to a queue's policy.
//
//   absl::StatusOr<std::string> policy = AddStatement(
//       old_policy, queue_arn, {.label = "l", .account_ids = {"111111111111"},
//                               .actions = {"SendMessage"}});
#ifndef BYOSHIN_LOCAL_SQS_QUEUE_POLICY_H_
#define BYOSHIN_LOCAL_SQS_QUEUE_POLICY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/sqs/api.h"

namespace byoshin::local::sqs {

// The policy with the new statement. `policy` is JSON, or empty.
// InvalidParameterValue if the label is in use, or the permission is invalid.
absl::StatusOr<std::string> AddStatement(absl::string_view policy,
                                         absl::string_view queue_arn,
                                         const Permission& permission);

// The policy without the statement of this label; empty if it was the last.
// InvalidParameterValue if there is none.
absl::StatusOr<std::string> RemoveStatement(absl::string_view policy,
                                            absl::string_view label);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_QUEUE_POLICY_H_
