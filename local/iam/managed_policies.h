// The AWS managed policies that the local cloud supports.
#ifndef BYOSHIN_LOCAL_IAM_MANAGED_POLICIES_H_
#define BYOSHIN_LOCAL_IAM_MANAGED_POLICIES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/iam/evaluation.h"

namespace byoshin::local::iam {

// NotFound, with the supported ones, if the ARN is unknown.
absl::StatusOr<NamedPolicy> FindManagedPolicy(absl::string_view arn);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_MANAGED_POLICIES_H_
