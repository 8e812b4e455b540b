#include "infra/cloudformation/rds.h"

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::rds {
namespace {

constexpr char kEngine[] = "aurora-postgresql";

}  // namespace

ResourceType PostgresCluster::Type() {
  return {.name = "AWS::RDS::DBCluster",
          .attributes = {"DBClusterArn", "DBClusterResourceId",
                         "Endpoint.Address", "MasterUserSecret.SecretArn"},
          .tags = ResourceType::Tags::kList};
}

Properties PostgresCluster::ToProperties() const {
  Properties properties;
  properties.Set("Engine", kEngine);
  properties.Set("EngineVersion", engine_version);
  properties.Set("DatabaseName", database_name);
  properties.Set("MasterUsername", master_user);
  properties.Set("ManageMasterUserPassword", true);
  properties.Set("EnableHttpEndpoint", true);
  properties.Set("StorageEncrypted", true);
  properties.Set("DeletionProtection", true);
  properties.Set("CopyTagsToSnapshot", true);
  properties.Set("BackupRetentionPeriod", backup_retention_days);
  properties.Require(
      "ServerlessV2ScalingConfiguration",
      Object({{"MinCapacity", min_capacity}, {"MaxCapacity", max_capacity}}));
  properties.Set("DBSubnetGroupName", subnet_group);
  properties.Set("VpcSecurityGroupIds", security_groups);
  properties.Set("EnableCloudwatchLogsExports", List({"postgresql"}));
  return properties;
}

ResourceType ServerlessInstance::Type() {
  return {.name = "AWS::RDS::DBInstance",
          .attributes = {"DBInstanceArn"},
          .tags = ResourceType::Tags::kList};
}

Properties ServerlessInstance::ToProperties() const {
  Properties properties;
  properties.Set("Engine", kEngine);
  properties.Set("DBInstanceClass", "db.serverless");
  properties.Require("DBClusterIdentifier", cluster);
  properties.Set("PubliclyAccessible", false);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::rds
