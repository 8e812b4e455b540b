// Roles in templates.
//
//   AddIamProviders(iam, registry);
#ifndef BYOSHIN_LOCAL_IAM_CLOUDFORMATION_H_
#define BYOSHIN_LOCAL_IAM_CLOUDFORMATION_H_

#include "local/cloudformation/registry.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

// AWS::IAM::Role. `iam` must outlive the registry.
void AddIamProviders(Iam& iam, cloudformation::ProviderRegistry& registry);

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_CLOUDFORMATION_H_
