// Findings of cdk-nag that are accepted, with the reasons, for a reviewer who
// runs its AwsSolutionsChecks over a template.
//
//   stack.Add("FailureQueue", sqs::Queue{},
//             {.metadata = parts::Accept({{.rule = "AwsSolutions-SQS3",
//                                          .reason = "…"}})});
#ifndef BYOSHIN_INFRA_GEN_PARTS_ACCEPTED_H_
#define BYOSHIN_INFRA_GEN_PARTS_ACCEPTED_H_

#include <string>
#include <vector>

#include "infra/cloudformation/value.h"

namespace byoshin::infra::parts {

struct Accepted {
  std::string rule;
  std::string reason;
  // The accepted findings of a rule that looks at each permission:
  // "Resource::*", or a regular expression between slashes. Empty for all.
  std::vector<std::string> findings{};
};

// Returns the metadata of a resource.
cloudformation::Value Accept(const std::vector<Accepted>& findings);

// A queue in which other services than SQS put what failed.
Accepted QueueOfFailures();

}  // namespace byoshin::infra::parts

#endif  // BYOSHIN_INFRA_GEN_PARTS_ACCEPTED_H_
