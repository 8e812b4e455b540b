// The optimized integrations of Step Functions: which services they are for,
// which actions each has, and which of these take .sync or .waitForTaskToken.
// https://docs.aws.amazon.com/step-functions/latest/dg/integrate-optimized.html
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTEGRATIONS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTEGRATIONS_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions::internal {

// False if `resource`, the ARN of a task, begins with arn:aws:states::: but
// names no optimized integration of AWS, whether or not the cloud has it. SDK
// integrations (arn:aws:states:::aws-sdk:…) are not checked: there are
// thousands.
bool IsKnownResource(absl::string_view resource);

}  // namespace byoshin::local::stepfunctions::internal

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_INTEGRATIONS_H_
