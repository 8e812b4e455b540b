#include <json/json.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/rds/describe_xml.h"
#include "local/rds/providers.h"
#include "local/rds/rds.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBCluster.html
constexpr std::size_t kMaxClusterName = 63;

class ClusterProvider final : public ResourceProvider {
 public:
  explicit ClusterProvider(Rds& rds) : rds_(rds) {}

  absl::string_view type() const override { return "AWS::RDS::DBCluster"; }
  const ResourceSchema& schema() const override;
  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override;
  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override;
  absl::Status CheckTakeUp(const ResourceRequest& request) override;
  absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request) override;
  absl::StatusOr<ResourceState> Create(const ResourceRequest& request) override;
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override;
  absl::Status Delete(const ResourceRequest& request) override {
    return Delete(request, Rds::Protection::kHonor);
  }
  absl::Status DeleteNew(const ResourceRequest& request) override {
    return Delete(request, Rds::Protection::kIgnore);
  }
  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override;

 private:
  absl::Status Delete(const ResourceRequest& request,
                      Rds::Protection protection);

  Rds& rds_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbcluster.html
const ResourceSchema& ClusterProvider::schema() const {
  static const char kNoNetwork[] =
      "the local cloud has no networks: a cluster is reached by the Data API";
  static const char kReported[] = "it is reported, and has no other effect";
  static const char kNotWatched[] = "the local cloud does not monitor servers";
  static const auto& schema = *new ResourceSchema{
      .acted_on = {"DBClusterIdentifier",
                   "Engine",
                   "EngineVersion",
                   "DatabaseName",
                   "MasterUsername",
                   "MasterUserPassword",
                   "ManageMasterUserPassword",
                   "EnableHttpEndpoint",
                   "DeletionProtection",
                   "BackupRetentionPeriod",
                   "ServerlessV2ScalingConfiguration.MinCapacity",
                   "ServerlessV2ScalingConfiguration.MaxCapacity",
                   "StorageEncrypted",
                   "KmsKeyId",
                   "Port",
                   "DBSubnetGroupName",
                   "DBClusterParameterGroupName",
                   "VpcSecurityGroupIds[]",
                   "PreferredBackupWindow",
                   "PreferredMaintenanceWindow",
                   "CopyTagsToSnapshot",
                   "EnableIAMDatabaseAuthentication",
                   "StorageType",
                   "MasterUserSecret.KmsKeyId",
                   "Tags[].Key",
                   "Tags[].Value"},
      .inert = {{"AvailabilityZones", kNoNetwork},
                {"NetworkType", kNoNetwork},
                {"PubliclyAccessible", kNoNetwork},
                {"EngineMode", "capacity is not limited"},
                {"ServerlessV2ScalingConfiguration.SecondsUntilAutoPause",
                 "a server is started when it is used"},
                {"AutoMinorVersionUpgrade", kReported},
                {"EngineLifecycleSupport", kReported},
                {"EnableCloudwatchLogsExports", kNotWatched},
                {"MonitoringInterval", kNotWatched},
                {"MonitoringRoleArn", kNotWatched},
                {"PerformanceInsightsEnabled", kNotWatched},
                {"PerformanceInsightsKmsKeyId", kNotWatched},
                {"PerformanceInsightsRetentionPeriod", kNotWatched},
                {"DatabaseInsightsMode", kNotWatched}},
      .required = {"Engine"},
      .create_only = {"DBClusterIdentifier", "Engine", "DatabaseName",
                      "MasterUsername", "StorageEncrypted", "KmsKeyId",
                      "DBSubnetGroupName", "EngineMode", "AvailabilityZones"},
      .attributes = {"DBClusterArn", "DBClusterResourceId", "Endpoint.Address",
                     "Endpoint.Port", "ReadEndpoint.Address",
                     "MasterUserSecret.SecretArn"}};
  return schema;
}

std::string ClusterName(const ResourceRequest& request) {
  const std::string name =
      cloudformation::TextProperty(request.properties, "DBClusterIdentifier")
          .value_or("");
  // RDS keeps identifiers in lower case.
  return absl::AsciiStrToLower(
      name.empty() ? GeneratedName(request, kMaxClusterName) : name);
}

ResourceState ClusterState(const Record& cluster) {
  return {.physical_id = cluster.identifier,
          .attributes = {{"DBClusterArn", cluster.arn},
                         {"DBClusterResourceId", cluster.resource_id},
                         {"Endpoint.Address", EndpointOf(cluster)},
                         {"Endpoint.Port", PortOf(cluster)},
                         {"ReadEndpoint.Address", ReaderEndpointOf(cluster)},
                         {"MasterUserSecret.SecretArn", cluster.secret_arn}}};
}

absl::StatusOr<std::optional<ResourceState>> ClusterProvider::Find(
    const ResourceRequest& request) {
  const std::optional<Record> cluster =
      rds_.catalog().Find(kClusterKind, ClusterName(request));
  if (!cluster.has_value()) return std::nullopt;
  return ClusterState(*cluster);
}

absl::StatusOr<bool> ClusterProvider::IsMissing(
    const ResourceRequest& request) {
  const std::optional<Record> cluster =
      rds_.catalog().Find(kClusterKind, request.physical_id);
  if (!cluster.has_value()) return true;
  const absl::StatusOr<bool> exists = rds_.HasData(*cluster);
  if (!exists.ok()) return exists.status();
  return !*exists;
}

absl::Status ClusterProvider::CheckTakeUp(const ResourceRequest& request) {
  const std::optional<Record> cluster =
      rds_.catalog().Find(kClusterKind, ClusterName(request));
  if (!cluster.has_value()) return absl::NotFoundError("it does not exist");
  for (const char* name : {"Engine", "DatabaseName", "MasterUsername"}) {
    if (cluster->Text(name) !=
        cloudformation::TextProperty(request.properties, name).value_or("")) {
      return absl::FailedPreconditionError(
          absl::StrCat("its ", name, " differs"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> ClusterProvider::FindSuffix(
    const ResourceRequest& request) {
  if (!cloudformation::PropertyAt(request.properties, "DBClusterIdentifier")
           .isNull()) {
    return std::nullopt;
  }
  const std::string name = ClusterName(request);
  const std::string prefix =
      name.substr(0, name.size() - request.name_suffix.size());
  std::optional<std::string> newest;
  absl::Time newest_time = absl::InfinitePast();
  for (const Record& cluster : rds_.catalog().All(kClusterKind)) {
    if (!absl::StartsWith(cluster.identifier, prefix)) continue;
    std::string suffix =
        absl::AsciiStrToUpper(cluster.identifier.substr(prefix.size()));
    if (suffix.size() != cloudformation::kNameSuffixLength ||
        !cloudformation::IsNameSuffix(suffix)) {
      continue;
    }
    const ResourceRequest named{.stack = request.stack,
                                .logical_id = request.logical_id,
                                .physical_id = "",
                                .name_suffix = suffix,
                                .properties = request.properties};
    if (!CheckTakeUp(named).ok() || cluster.created < newest_time) continue;
    newest_time = cluster.created;
    newest = std::move(suffix);
  }
  return newest;
}

absl::StatusOr<ResourceState> ClusterProvider::Create(
    const ResourceRequest& request) {
  const absl::StatusOr<Record> cluster = rds_.Run([&](Rds& rds) {
    return rds.CreateCluster(ClusterName(request), request.stack.region,
                             request.properties);
  });
  if (!cluster.ok()) return cluster.status();
  return ClusterState(*cluster);
}

absl::StatusOr<ResourceState> ClusterProvider::Update(
    const ResourceRequest& request, const Json::Value&) {
  const absl::StatusOr<Record> cluster = rds_.Run([&](Rds& rds) {
    return rds.ChangeCluster(request.physical_id, request.properties);
  });
  if (!cluster.ok()) return cluster.status();
  return ClusterState(*cluster);
}

absl::Status ClusterProvider::Delete(const ResourceRequest& request,
                                     Rds::Protection protection) {
  const absl::Status deleted =
      rds_.Run([&](Rds& rds) {
            return rds.DeleteCluster(request.physical_id, protection);
          })
          .status();
  return absl::IsNotFound(deleted) ? absl::OkStatus() : deleted;
}

absl::StatusOr<std::string> ClusterProvider::DescribeData(
    const ResourceRequest& request) {
  const std::optional<Record> cluster =
      rds_.catalog().Find(kClusterKind, request.physical_id);
  if (!cluster.has_value()) return "";
  return rds_.DescribeData(*cluster);
}

}  // namespace

std::unique_ptr<ResourceProvider> NewClusterProvider(Rds& rds) {
  return std::make_unique<ClusterProvider>(rds);
}

}  // namespace byoshin::local::rds
