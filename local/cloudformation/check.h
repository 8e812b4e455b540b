// Checks a template before anything is deployed.
//
//   if (absl::Status status = CheckTemplate(t, registry); !status.ok()) …
//   // "line 214: resource Jobs (AWS::SQS::Queue): property RedrivePolicy.max
//   is
//   //  unknown: …"
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_CHECK_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_CHECK_H_

#include "absl/status/status.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

// InvalidArgument lists all errors: unknown types of resources, unsupported
// properties, missing required properties, unsupported functions, and
// references to missing resources. Resources that conditions exclude from this
// deployment are checked, too.
absl::Status CheckTemplate(const Template& t, const ProviderRegistry& registry);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_CHECK_H_
