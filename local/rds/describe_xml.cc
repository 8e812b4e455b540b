#include "local/rds/describe_xml.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"
#include "local/gateway/query_api.h"
#include "local/gateway/xml.h"
#include "local/postgres/server.h"
#include "local/rds/cluster_checks.h"

namespace byoshin::local::rds {
namespace {

// Parts of the account's host names.
constexpr char kHostLabel[] = "local";
constexpr char kScaling[] = "ServerlessV2ScalingConfiguration";

std::string RegionOf(const Record& record) {
  const std::vector<std::string> parts = absl::StrSplit(record.arn, ':');
  return parts.size() > 3 ? parts[3] : "";
}

std::string HostName(const Record& record, absl::string_view middle) {
  return absl::StrCat(record.identifier, ".", middle, kHostLabel, ".",
                      RegionOf(record), ".rds.amazonaws.com");
}

void FlagElement(const Record& record, absl::string_view element,
                 absl::string_view property, XmlWriter& xml) {
  xml.Element(element, record.Flag(property) ? "true" : "false");
}

// A property that is reported as it is, if the template has it.
void SameElement(const Record& record, absl::string_view name, XmlWriter& xml) {
  ElementUnlessEmpty(xml, name, record.Text(name));
}

void WriteMembers(const Record& cluster, const Catalog& catalog,
                  XmlWriter& xml) {
  xml.Open("DBClusterMembers");
  bool is_writer = true;
  for (const Record& instance : catalog.All(kInstanceKind)) {
    if (absl::AsciiStrToLower(instance.Text("DBClusterIdentifier")) !=
        cluster.identifier) {
      continue;
    }
    xml.Open("DBClusterMember");
    xml.Element("DBInstanceIdentifier", instance.identifier);
    xml.Element("IsClusterWriter", is_writer ? "true" : "false");
    xml.Element("DBClusterParameterGroupStatus", "in-sync");
    xml.Element("PromotionTier", instance.Text("PromotionTier", "1"));
    xml.Close("DBClusterMember");
    is_writer = false;
  }
  xml.Close("DBClusterMembers");
}

void WriteSecurityGroups(const Record& record, XmlWriter& xml) {
  xml.Open("VpcSecurityGroups");
  for (const std::string& group :
       cloudformation::TextsProperty(record.properties, "VpcSecurityGroupIds")
           .value_or(std::vector<std::string>())) {
    xml.Open("VpcSecurityGroupMembership");
    xml.Element("VpcSecurityGroupId", group);
    xml.Element("Status", "active");
    xml.Close("VpcSecurityGroupMembership");
  }
  xml.Close("VpcSecurityGroups");
}

void WriteScaling(const Record& cluster, XmlWriter& xml) {
  if (cloudformation::PropertyAt(cluster.properties, kScaling).isNull()) return;
  xml.Open(kScaling);
  for (const char* capacity : {"MinCapacity", "MaxCapacity"}) {
    ElementUnlessEmpty(xml, capacity,
                       cluster.Text(absl::StrCat(kScaling, ".", capacity)));
  }
  xml.Close(kScaling);
}

void WriteMasterSecret(const Record& cluster, XmlWriter& xml) {
  if (cluster.secret_arn.empty()) return;
  xml.Open("MasterUserSecret");
  xml.Element("SecretArn", cluster.secret_arn);
  xml.Element("SecretStatus", "active");
  ElementUnlessEmpty(xml, "KmsKeyId",
                     cluster.Text("MasterUserSecret.KmsKeyId"));
  xml.Close("MasterUserSecret");
}

}  // namespace

std::string EndpointOf(const Record& cluster) {
  return HostName(cluster, "cluster-");
}

std::string ReaderEndpointOf(const Record& cluster) {
  return HostName(cluster, "cluster-ro-");
}

std::string InstanceEndpointOf(const Record& instance) {
  return HostName(instance, "");
}

std::string PortOf(const Record& record) {
  return record.Text("Port", absl::StrCat(postgres::kPort));
}

void WriteTags(const Record& record, XmlWriter& xml) {
  xml.Open("TagList");
  for (const Json::Value& tag :
       cloudformation::PropertyAt(record.properties, "Tags")) {
    xml.Open("Tag");
    for (const char* member : {"Key", "Value"}) {
      xml.Element(member,
                  cloudformation::TextProperty(tag, member).value_or(""));
    }
    xml.Close("Tag");
  }
  xml.Close("TagList");
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBCluster.html
void WriteCluster(const Record& cluster, const Catalog& catalog,
                  XmlWriter& xml) {
  xml.Element("DBClusterIdentifier", cluster.identifier);
  xml.Element("DBClusterArn", cluster.arn);
  xml.Element("DbClusterResourceId", cluster.resource_id);
  xml.Element("Status", cluster.status());
  xml.Element("Engine", cluster.Text("Engine"));
  xml.Element("EngineVersion",
              cluster.Text("EngineVersion", kDefaultEngineVersion));
  xml.Element("EngineMode", "provisioned");
  xml.Element("DatabaseName", cluster.database());
  xml.Element("MasterUsername", cluster.master_user());
  xml.Element("Endpoint", EndpointOf(cluster));
  xml.Element("ReaderEndpoint", ReaderEndpointOf(cluster));
  xml.Element("Port", PortOf(cluster));
  xml.Element("AllocatedStorage", "1");
  xml.Element(
      "BackupRetentionPeriod",
      cluster.Text("BackupRetentionPeriod", absl::StrCat(kMinBackupDays)));
  xml.Element("MultiAZ", "false");
  FlagElement(cluster, "StorageEncrypted", "StorageEncrypted", xml);
  FlagElement(cluster, "DeletionProtection", "DeletionProtection", xml);
  FlagElement(cluster, "HttpEndpointEnabled", "EnableHttpEndpoint", xml);
  FlagElement(cluster, "IAMDatabaseAuthenticationEnabled",
              "EnableIAMDatabaseAuthentication", xml);
  FlagElement(cluster, "CopyTagsToSnapshot", "CopyTagsToSnapshot", xml);
  for (const char* name : {"KmsKeyId", "PreferredBackupWindow",
                           "PreferredMaintenanceWindow", "StorageType"}) {
    SameElement(cluster, name, xml);
  }
  ElementUnlessEmpty(xml, "DBSubnetGroup", cluster.Text("DBSubnetGroupName"));
  xml.Element("DBClusterParameterGroup",
              cluster.Text("DBClusterParameterGroupName",
                           "default.aurora-postgresql17"));
  TimeElement(xml, "ClusterCreateTime", cluster.created);
  WriteMembers(cluster, catalog, xml);
  WriteSecurityGroups(cluster, xml);
  WriteScaling(cluster, xml);
  WriteMasterSecret(cluster, xml);
  WriteTags(cluster, xml);
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBInstance.html
void WriteInstance(const Record& instance, const Catalog& catalog,
                   XmlWriter& xml) {
  const std::optional<Record> cluster =
      catalog.Find(kClusterKind,
                   absl::AsciiStrToLower(instance.Text("DBClusterIdentifier")));
  xml.Element("DBInstanceIdentifier", instance.identifier);
  xml.Element("DBInstanceArn", instance.arn);
  xml.Element("DbiResourceId", instance.resource_id);
  xml.Element("DBInstanceClass", instance.Text("DBInstanceClass"));
  xml.Element("Engine", instance.Text("Engine"));
  xml.Element("DBInstanceStatus",
              cluster.has_value() ? cluster->status() : "available");
  if (cluster.has_value()) {
    xml.Element("EngineVersion",
                cluster->Text("EngineVersion", kDefaultEngineVersion));
    xml.Element("MasterUsername", cluster->master_user());
    xml.Element("DBName", cluster->database());
    xml.Element("DBClusterIdentifier", cluster->identifier);
    FlagElement(*cluster, "StorageEncrypted", "StorageEncrypted", xml);
    xml.Element(
        "BackupRetentionPeriod",
        cluster->Text("BackupRetentionPeriod", absl::StrCat(kMinBackupDays)));
  }
  xml.Open("Endpoint");
  xml.Element("Address", InstanceEndpointOf(instance));
  xml.Element("Port",
              cluster.has_value() ? PortOf(*cluster) : PortOf(instance));
  xml.Close("Endpoint");
  xml.Element("AllocatedStorage", "1");
  xml.Element("MultiAZ", "false");
  xml.Element("PromotionTier", instance.Text("PromotionTier", "1"));
  FlagElement(instance, "PubliclyAccessible", "PubliclyAccessible", xml);
  TimeElement(xml, "InstanceCreateTime", instance.created);
  SameElement(instance, "AvailabilityZone", xml);
  WriteTags(instance, xml);
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBSubnetGroup.html
void WriteSubnetGroup(const Record& group, XmlWriter& xml) {
  xml.Element("DBSubnetGroupName", group.identifier);
  xml.Element("DBSubnetGroupArn", group.arn);
  xml.Element("DBSubnetGroupDescription",
              group.Text("DBSubnetGroupDescription"));
  xml.Element("SubnetGroupStatus", "Complete");
  xml.Open("Subnets");
  for (const std::string& subnet :
       cloudformation::TextsProperty(group.properties, "SubnetIds")
           .value_or(std::vector<std::string>())) {
    xml.Open("Subnet");
    xml.Element("SubnetIdentifier", subnet);
    xml.Element("SubnetStatus", "Active");
    xml.Close("Subnet");
  }
  xml.Close("Subnets");
}

}  // namespace byoshin::local::rds
