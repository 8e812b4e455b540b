#include <json/json.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/rds/cluster_checks.h"
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
using cloudformation::TextProperty;

constexpr std::size_t kMaxInstanceName = 63;
constexpr std::size_t kMaxGroupName = 255;

// A type of resource that is only described.
struct Description {
  const char* type;
  const char* kind;
  // The property with its name.
  const char* name_property;
  std::size_t max_name_length;
  ResourceSchema schema;
  absl::Status (*check)(const Rds& rds, const Json::Value& properties);
  std::map<std::string, std::string> (*attributes)(const Record& record);
};

class DescriptiveProvider final : public ResourceProvider {
 public:
  DescriptiveProvider(Rds& rds, Description description)
      : rds_(rds), description_(std::move(description)) {}

  absl::string_view type() const override { return description_.type; }
  const ResourceSchema& schema() const override { return description_.schema; }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    const std::optional<Record> record =
        rds_.catalog().Find(description_.kind, Name(request));
    if (!record.has_value()) return std::nullopt;
    return StateFor(*record);
  }
  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    return !rds_.catalog()
                .Find(description_.kind, request.physical_id)
                .has_value();
  }
  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Put(request, Name(request));
  }
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, request.physical_id);
  }
  absl::Status Delete(const ResourceRequest& request) override {
    const absl::Status removed =
        rds_.Run([&](Rds& rds) {
              return rds.RemoveResource(description_.kind, request.physical_id);
            })
            .status();
    return absl::IsNotFound(removed) ? absl::OkStatus() : removed;
  }

 private:
  std::string Name(const ResourceRequest& request) const {
    const std::string name =
        TextProperty(request.properties, description_.name_property)
            .value_or("");
    return absl::AsciiStrToLower(
        name.empty() ? GeneratedName(request, description_.max_name_length)
                     : name);
  }
  ResourceState StateFor(const Record& record) const {
    return {.physical_id = record.identifier,
            .attributes = description_.attributes(record)};
  }
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& name) {
    const absl::StatusOr<Record> record =
        rds_.Run([&](Rds& rds) -> absl::StatusOr<Record> {
          if (absl::Status valid = description_.check(rds, request.properties);
              !valid.ok()) {
            return valid;
          }
          return rds.PutResource({.kind = description_.kind,
                                  .identifier = name,
                                  .properties = request.properties},
                                 request.stack.region);
        });
    if (!record.ok()) return record.status();
    return StateFor(*record);
  }

  Rds& rds_;
  const Description description_;
};

absl::Status CheckInstance(const Rds& rds, const Json::Value& properties) {
  const std::string cluster =
      TextProperty(properties, "DBClusterIdentifier").value_or("");
  if (cluster.empty()) {
    return absl::InvalidArgumentError(
        "the local cloud has instances of clusters only: set "
        "DBClusterIdentifier");
  }
  const std::optional<Record> found =
      rds.catalog().Find(kClusterKind, absl::AsciiStrToLower(cluster));
  if (!found.has_value()) {
    return absl::NotFoundError(
        absl::StrCat("DBCluster ", cluster, " not found."));
  }
  const std::string engine = TextProperty(properties, "Engine").value_or("");
  if (engine == found->Text("Engine")) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("The engine name requested for your DB instance (", engine,
                   ") doesn't match the engine name of your DB cluster (",
                   found->Text("Engine"), ")."));
}

absl::Status CheckNothing(const Rds&, const Json::Value&) {
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbinstance.html
Description Instance() {
  static const char kNotWatched[] = "the local cloud does not monitor servers";
  static const char kOneServer[] = "a cluster is one server here";
  return {
      .type = "AWS::RDS::DBInstance",
      .kind = kInstanceKind,
      .name_property = "DBInstanceIdentifier",
      .max_name_length = kMaxInstanceName,
      .schema = {.acted_on = {"DBInstanceIdentifier", "DBClusterIdentifier",
                              "DBInstanceClass", "Engine", "PromotionTier",
                              "PubliclyAccessible", "AvailabilityZone",
                              "Tags[].Key", "Tags[].Value"},
                 .inert = {{"EngineVersion", kOneServer},
                           {"DBSubnetGroupName", kOneServer},
                           {"DBParameterGroupName", kOneServer},
                           {"VPCSecurityGroups", kOneServer},
                           {"StorageEncrypted", kOneServer},
                           {"AutoMinorVersionUpgrade", kOneServer},
                           {"AllowMajorVersionUpgrade", kOneServer},
                           {"CACertificateIdentifier", kOneServer},
                           {"CopyTagsToSnapshot", kOneServer},
                           {"PreferredMaintenanceWindow", kOneServer},
                           {"DeleteAutomatedBackups", kOneServer},
                           {"EnablePerformanceInsights", kNotWatched},
                           {"PerformanceInsightsKMSKeyId", kNotWatched},
                           {"PerformanceInsightsRetentionPeriod", kNotWatched},
                           {"MonitoringInterval", kNotWatched},
                           {"MonitoringRoleArn", kNotWatched}},
                 .required = {"DBInstanceClass", "Engine"},
                 .create_only = {"DBInstanceIdentifier", "DBClusterIdentifier",
                                 "Engine", "AvailabilityZone"},
                 .attributes = {"DBInstanceArn", "DbiResourceId",
                                "Endpoint.Address", "Endpoint.Port"}},
      .check = CheckInstance,
      .attributes = [](const Record& record) {
        return std::map<std::string, std::string>{
            {"DBInstanceArn", record.arn},
            {"DbiResourceId", record.resource_id},
            {"Endpoint.Address", InstanceEndpointOf(record)},
            {"Endpoint.Port", PortOf(record)}};
      }};
}

std::map<std::string, std::string> NoAttributes(const Record&) { return {}; }

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbsubnetgroup.html
Description SubnetGroup() {
  return {
      .type = "AWS::RDS::DBSubnetGroup",
      .kind = kSubnetGroupKind,
      .name_property = "DBSubnetGroupName",
      .max_name_length = kMaxGroupName,
      .schema = {.acted_on = {"DBSubnetGroupName", "DBSubnetGroupDescription",
                              "SubnetIds[]", "Tags[].Key", "Tags[].Value"},
                 .required = {"DBSubnetGroupDescription", "SubnetIds"},
                 .create_only = {"DBSubnetGroupName"}},
      .check = CheckNothing,
      .attributes = NoAttributes};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbclusterparametergroup.html
Description ClusterParameterGroup() {
  return {.type = "AWS::RDS::DBClusterParameterGroup",
          .kind = kClusterParameterGroupKind,
          .name_property = "DBClusterParameterGroupName",
          .max_name_length = kMaxGroupName,
          .schema = {.acted_on = {"DBClusterParameterGroupName", "Description",
                                  "Family", "Tags[].Key", "Tags[].Value"},
                     .inert = {{"Parameters",
                                "the servers of the local cloud have settings "
                                "of their own"}},
                     .required = {"Description", "Family", "Parameters"},
                     .create_only = {"DBClusterParameterGroupName",
                                     "Description", "Family"}},
          .check = CheckNothing,
          .attributes = NoAttributes};
}

}  // namespace

std::vector<std::unique_ptr<ResourceProvider>> NewDescriptiveProviders(
    Rds& rds) {
  std::vector<std::unique_ptr<ResourceProvider>> providers;
  for (Description& description : std::vector<Description>{
           Instance(), SubnetGroup(), ClusterParameterGroup()}) {
    providers.push_back(
        std::make_unique<DescriptiveProvider>(rds, std::move(description)));
  }
  return providers;
}

}  // namespace byoshin::local::rds
