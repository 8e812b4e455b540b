#include "infra/cloudformation/logs.h"

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"

namespace byoshin::infra::cloudformation::logs {

ResourceType LogGroup::Type() {
  return {.name = "AWS::Logs::LogGroup",
          .attributes = {"Arn"},
          .tags = ResourceType::Tags::kList};
}

Properties LogGroup::ToProperties() const {
  Properties properties;
  properties.Set("LogGroupName", name);
  properties.Require("RetentionInDays", retention_days);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::logs
