// Roles and queue policies in templates.
//
//   AddIamProviders(iam, registry);
#ifndef BYOSHIN_LOCAL_IAM_CLOUDFORMATION_H_
#define BYOSHIN_LOCAL_IAM_CLOUDFORMATION_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "local/cloudformation/registry.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

// Sets the policy, JSON, that a queue reports; an empty one removes it.
using ShowQueuePolicy = std::function<absl::Status(const std::string& queue_url,
                                                   const std::string& policy)>;

// AWS::IAM::Role and AWS::SQS::QueuePolicy. `iam` must outlive the registry;
// `show` may be null.
void AddIamProviders(Iam& iam, cloudformation::ProviderRegistry& registry,
                     ShowQueuePolicy show = nullptr);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_CLOUDFORMATION_H_
