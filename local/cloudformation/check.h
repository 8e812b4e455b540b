// What is wrong with a template before anything is deployed.
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

// InvalidArgument with all of it: types of resources that nobody provides,
// properties that are neither acted on nor inert, required ones that are
// missing, functions that are not supported, and references to what is not
// there. Also in what the conditions leave out of this deployment.
absl::Status CheckTemplate(const Template& t, const ProviderRegistry& registry);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_CHECK_H_
