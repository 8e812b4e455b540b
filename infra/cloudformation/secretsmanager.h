// AWS Secrets Manager: secrets that it generates.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_SECRETSMANAGER_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_SECRETSMANAGER_H_

#include <string>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::secretsmanager {

// A name and a random password of a user, as the RDS Data API expects them.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html
struct UserSecret {
  std::string description{};
  std::string user{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::secretsmanager

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_SECRETSMANAGER_H_
