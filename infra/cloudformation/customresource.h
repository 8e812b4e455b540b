// Custom resources: a function that CloudFormation calls when a stack is
// created, updated or deleted.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_CUSTOMRESOURCE_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_CUSTOMRESOURCE_H_

#include <optional>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-customresource.html
struct CustomResource {
  Value function_arn{};
  // How long CloudFormation waits for the function's answer.
  std::optional<absl::Duration> timeout{};
  // Passed to the function, which is called again when one changes.
  Value::Members properties{};

  static ResourceType Type() {
    return {.name = "AWS::CloudFormation::CustomResource"};
  }
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_CUSTOMRESOURCE_H_
