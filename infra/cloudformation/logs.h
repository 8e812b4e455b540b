// Amazon CloudWatch Logs: log groups.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_LOGS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_LOGS_H_

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::logs {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-loggroup.html
struct LogGroup {
  Value name{};
  // Required here: without it, logs are kept, and billed, forever.
  Value retention_days{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::logs

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_LOGS_H_
