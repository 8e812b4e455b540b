// Amazon RDS: Aurora PostgreSQL, serverless, reached through the Data API.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_RDS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_RDS_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::rds {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbcluster.html
struct PostgresCluster {
  std::string engine_version{};
  std::string database_name{};
  std::string master_user{};
  // In Aurora capacity units.
  Value min_capacity{};
  Value max_capacity{};
  int backup_retention_days = 0;
  // Without them, those of the default VPC.
  Value subnet_group{};
  Value security_groups{};

  static ResourceType Type();
  // Always encrypted and protected against deletion. RDS keeps the master
  // user's password in a secret and changes it by itself.
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbinstance.html
struct ServerlessInstance {
  Value cluster{};

  static ResourceType Type();
  // Not reachable from outside of its network.
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::rds

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_RDS_H_
