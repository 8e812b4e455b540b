#include "local/secretsmanager/module.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "local/cloud/host.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/policy.h"
#include "local/rds/clusters.h"
#include "local/secretsmanager/operations.h"
#include "local/secretsmanager/providers.h"
#include "local/secretsmanager/secrets.h"
#include "local/secretsmanager/secretsmanager.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr char kName[] = "secretsmanager";

// RDS comes later, so it is looked for when a resource is created.
absl::StatusOr<Json::Value> DescribeCluster(
    const cloud::Host& host, const cloudformation::StackContext& stack,
    const std::string& identifier) {
  const rds::Clusters* clusters = host.Find<rds::Clusters>();
  if (clusters == nullptr) return absl::NotFoundError("there is no RDS");
  const absl::StatusOr<rds::Cluster> cluster =
      clusters->Find(cloudformation::ArnOf(
          stack, "rds",
          absl::StrCat("cluster:", absl::AsciiStrToLower(identifier))));
  if (!cluster.ok()) return cluster.status();
  Json::Value members(Json::objectValue);
  members["engine"] = "postgres";
  members["host"] = cluster->endpoint;
  int port = 0;
  if (absl::SimpleAtoi(cluster->port, &port)) members["port"] = port;
  members["dbname"] = cluster->default_database;
  members["dbClusterIdentifier"] = cluster->identifier;
  return members;
}

class ManagerModule final : public cloud::Module {
 public:
  ManagerModule(cloud::Host& host, std::unique_ptr<SecretsManager> manager)
      : host_(host), manager_(std::move(manager)) {}

  std::vector<Service*> services() override { return {manager_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    AddSecretsManagerProviders(
        *manager_,
        [this](const cloudformation::StackContext& stack,
               const std::string& identifier) {
          return DescribeCluster(host_, stack, identifier);
        },
        registry);
  }

 private:
  const cloud::Host& host_;
  const std::unique_ptr<SecretsManager> manager_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(cloud::Host& host) {
  absl::StatusOr<std::unique_ptr<SecretsManager>> manager =
      SecretsManager::Open(
          {.store = host.store(kName),
           .clock = host.clock(),
           .region = host.region(),
           .check_policy =
               [](const Json::Value& policy) {
                 return iam::ParsePolicy(policy, iam::PolicyKind::kResource)
                     .status();
               },
           .on_policy =
               [&authority =
                    host.Get<iam::Authority>()](const PolicyChange& change) {
                 authority.EnforcePolicy(change.arn, change.policy);
               }});
  if (!manager.ok()) return manager.status();
  host.Offer<Secrets>(**manager);
  return std::make_unique<ManagerModule>(host, *std::move(manager));
}

}  // namespace

cloud::ModuleSpec SecretsManagerModule() {
  return {.name = kName, .stores = {{.name = kName}}, .open = OpenModule};
}

}  // namespace byoshin::local::secretsmanager
