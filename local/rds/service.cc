#include "local/rds/service.h"

#include <json/json.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/permission.h"
#include "local/gateway/query.h"
#include "local/gateway/query_api.h"
#include "local/gateway/service_traits.h"
#include "local/gateway/xml.h"
#include "local/rds/cluster_checks.h"
#include "local/rds/describe_operations.h"
#include "local/rds/describe_xml.h"

namespace byoshin::local::rds {
namespace {

constexpr ServiceTraits kTraits = {
    .name = "rds",
    .target_prefix = "AmazonRDSv19",
    .xml_namespace = "http://rds.amazonaws.com/doc/2014-10-31/"};

constexpr char kInternalFailure[] = "InternalFailure";
constexpr char kResourceArn[] = "ResourceArn";

// A change of a cluster, and how it is answered.
struct ChangeOperation {
  // The parameter that names the cluster.
  const char* parameter;
  absl::StatusOr<Rds::Change> (*read)(const std::string& identifier,
                                      const QueryParameters& parameters);
  void (*write)(const Record& cluster, const Catalog& catalog, XmlWriter& xml);
};

void WriteWholeCluster(const Record& cluster, const Catalog& catalog,
                       XmlWriter& xml) {
  xml.Open("DBCluster");
  WriteCluster(cluster, catalog, xml);
  xml.Close("DBCluster");
}

// Parameters of ModifyDBCluster that are properties of the same name.
constexpr absl::string_view kChangeable[] = {"BackupRetentionPeriod",
                                             "CopyTagsToSnapshot",
                                             "DeletionProtection",
                                             "EnableHttpEndpoint",
                                             "EngineVersion",
                                             "ManageMasterUserPassword",
                                             "MasterUserPassword",
                                             "PreferredBackupWindow",
                                             "PreferredMaintenanceWindow",
                                             "DBClusterParameterGroupName"};
constexpr char kScalingParameter[] = "ServerlessV2ScalingConfiguration";

absl::Status CheckKnown(const QueryParameters& parameters) {
  for (const absl::string_view name : parameters.Names()) {
    const bool known =
        name == "Action" || name == "Version" || name == kScalingParameter ||
        name == "DBClusterIdentifier" || name == "ApplyImmediately" ||
        name == "AllowMajorVersionUpgrade" ||
        std::find(std::begin(kChangeable), std::end(kChangeable), name) !=
            std::end(kChangeable);
    if (!known) {
      return ServiceError(
          {.code = "InvalidParameterCombination",
           .message = absl::StrCat("the local cloud can't change ", name)});
    }
  }
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_ModifyDBCluster.html
absl::StatusOr<Rds::Change> ModifyDBCluster(const std::string& identifier,
                                            const QueryParameters& parameters) {
  if (absl::Status known = CheckKnown(parameters); !known.ok()) return known;
  Json::Value changes(Json::objectValue);
  for (const absl::string_view name : kChangeable) {
    if (const auto value = parameters.Find(name); value.has_value()) {
      changes[std::string(name)] = std::string(*value);
    }
  }
  const QueryParameters scaling = parameters.Member(kScalingParameter);
  for (const char* capacity : {"MinCapacity", "MaxCapacity"}) {
    if (const auto value = scaling.Find(capacity); value.has_value()) {
      changes[kScalingParameter][capacity] = std::string(*value);
    }
  }
  return [identifier, changes](Rds& rds) -> absl::StatusOr<Record> {
    const std::optional<Record> cluster =
        rds.catalog().Find(kClusterKind, identifier);
    if (!cluster.has_value()) return ClusterNotFound(identifier);
    Json::Value properties = cluster->properties;
    for (const std::string& name : changes.getMemberNames()) {
      if (!changes[name].isObject()) {
        properties[name] = changes[name];
        continue;
      }
      for (const std::string& member : changes[name].getMemberNames()) {
        properties[name][member] = changes[name][member];
      }
    }
    return rds.ChangeCluster(identifier, std::move(properties));
  };
}

absl::StatusOr<Rds::Change> SetHttpEndpoint(const std::string& identifier,
                                            bool enabled) {
  return [identifier, enabled](Rds& rds) -> absl::StatusOr<Record> {
    const std::optional<Record> cluster =
        rds.catalog().Find(kClusterKind, identifier);
    if (!cluster.has_value()) return ClusterNotFound(identifier);
    Json::Value properties = cluster->properties;
    properties["EnableHttpEndpoint"] = enabled;
    return rds.ChangeCluster(identifier, std::move(properties));
  };
}

void WriteHttpEndpoint(const Record& cluster, const Catalog&, XmlWriter& xml) {
  xml.Element("ResourceArn", cluster.arn);
  xml.Element("HttpEndpointEnabled",
              cluster.Flag("EnableHttpEndpoint") ? "true" : "false");
}

const ChangeOperation* FindChange(absl::string_view name) {
  static const auto& operations = *new std::map<std::string, ChangeOperation,
                                                std::less<>>{
      {"ModifyDBCluster",
       {"DBClusterIdentifier", ModifyDBCluster, WriteWholeCluster}},
      // https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_StopDBCluster.html
      {"StopDBCluster",
       {"DBClusterIdentifier",
        [](const std::string& identifier, const QueryParameters&) {
          return absl::StatusOr<Rds::Change>(
              [identifier](Rds& rds) { return rds.StopCluster(identifier); });
        },
        WriteWholeCluster}},
      // https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_StartDBCluster.html
      {"StartDBCluster",
       {"DBClusterIdentifier",
        [](const std::string& identifier, const QueryParameters&) {
          return absl::StatusOr<Rds::Change>(
              [identifier](Rds& rds) { return rds.StartCluster(identifier); });
        },
        WriteWholeCluster}},
      // https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_EnableHttpEndpoint.html
      {"EnableHttpEndpoint",
       {kResourceArn,
        [](const std::string& identifier, const QueryParameters&) {
          return SetHttpEndpoint(identifier, true);
        },
        WriteHttpEndpoint}},
      // https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DisableHttpEndpoint.html
      {"DisableHttpEndpoint",
       {kResourceArn,
        [](const std::string& identifier, const QueryParameters&) {
          return SetHttpEndpoint(identifier, false);
        },
        WriteHttpEndpoint}}};
  const auto found = operations.find(name);
  return found == operations.end() ? nullptr : &found->second;
}

// An error of Rds in the form of the API.
absl::Status ApiError(const absl::Status& status,
                      absl::string_view identifier) {
  if (ErrorAnswerOf(status).code != kInternalFailure) return status;
  switch (status.code()) {
    case absl::StatusCode::kNotFound:
      return ClusterNotFound(identifier);
    case absl::StatusCode::kFailedPrecondition:
      return ServiceError({.code = "InvalidDBClusterStateFault",
                           .message = std::string(status.message())});
    case absl::StatusCode::kInvalidArgument:
      return InvalidParameterValue(status.message());
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnimplemented:
      return ServiceError({.code = kInternalFailure,
                           .message = std::string(status.message()),
                           .http_status = 500});
    default:
      return status;
  }
}

}  // namespace

const ServiceTraits& RdsService::traits() const { return kTraits; }

std::vector<NeededPermission> RdsService::PermissionsFor(
    const Call& call) const {
  const std::string action = absl::StrCat("rds:", call.operation);
  for (const char* parameter : {kResourceArn, "ResourceName"}) {
    if (std::string arn = ParameterOf(call, parameter); !arn.empty()) {
      return {{.action = action, .resource = std::move(arn)}};
    }
  }
  const auto resource = [&](absl::string_view kind, const char* parameter) {
    std::string name = IdentifierIn(ParameterOf(call, parameter));
    return std::vector<NeededPermission>{
        {.action = action,
         .resource = ArnFor(
             call, "rds", absl::StrCat(kind, ":", name.empty() ? "*" : name))}};
  };
  if (call.operation == "DescribeDBInstances") {
    return resource(kInstanceKind, "DBInstanceIdentifier");
  }
  if (call.operation == "DescribeDBSubnetGroups") {
    return resource(kSubnetGroupKind, "DBSubnetGroupName");
  }
  return resource(kClusterKind, "DBClusterIdentifier");
}

void RdsService::Handle(Call call, AnswerFunction answer) {
  const absl::StatusOr<QueryParameters> parameters =
      QueryParameters::Parse(call.body);
  const auto reply = [this, call, answer](const auto& write) {
    answer(QueryAnswer(call, traits().xml_namespace, write));
  };
  const auto fail = [reply](const absl::Status& status) {
    reply([&](XmlWriter&) { return status; });
  };
  if (!parameters.ok()) return fail(parameters.status());
  if (const ReadOperation read = FindReadOperation(call.operation);
      read != nullptr) {
    return reply([&](XmlWriter& xml) {
      return read({.catalog = rds_.catalog(), .parameters = *parameters}, xml);
    });
  }
  const ChangeOperation* const operation = FindChange(call.operation);
  if (operation == nullptr) return fail(UnknownQueryOperation(call));
  const std::string name(parameters->Find(operation->parameter).value_or(""));
  if (name.empty()) return fail(MissingQueryParameter(operation->parameter));
  if (absl::string_view(operation->parameter) == kResourceArn &&
      !rds_.catalog().FindArn(name).has_value()) {
    return fail(ResourceNotFound(name));
  }
  const std::string identifier = IdentifierIn(name);
  absl::StatusOr<Rds::Change> change = operation->read(identifier, *parameters);
  if (!change.ok()) return fail(change.status());
  rds_.Submit(*std::move(change), [this, operation, identifier, reply, fail](
                                      const absl::StatusOr<Record>& cluster) {
    if (!cluster.ok()) return fail(ApiError(cluster.status(), identifier));
    reply([&](XmlWriter& xml) {
      operation->write(*cluster, rds_.catalog(), xml);
      return absl::OkStatus();
    });
  });
}

}  // namespace byoshin::local::rds
