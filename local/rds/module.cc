#include "local/rds/module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"
#include "local/postgres/server.h"
#include "local/rds/backend.h"
#include "local/rds/clusters.h"
#include "local/rds/given_server.h"
#include "local/rds/own_servers.h"
#include "local/rds/providers.h"
#include "local/rds/rds.h"
#include "local/rds/service.h"
#include "local/secretsmanager/secrets.h"

namespace byoshin::local::rds {
namespace {

constexpr char kName[] = "rds";

class ClustersModule final : public cloud::Module {
 public:
  ClustersModule(std::unique_ptr<Backend> backend, std::unique_ptr<Rds> rds)
      : backend_(std::move(backend)), rds_(std::move(rds)) {}

  std::vector<Service*> services() override { return {&service_}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    registry.Add(NewClusterProvider(*rds_));
    for (auto& provider : NewDescriptiveProviders(*rds_)) {
      registry.Add(std::move(provider));
    }
  }

 private:
  // Its servers are stopped when it is destroyed.
  const std::unique_ptr<Backend> backend_;
  const std::unique_ptr<Rds> rds_;
  RdsService service_{*rds_};
};

absl::StatusOr<std::unique_ptr<Backend>> OpenBackend(
    cloud::Host& host, const RdsModuleOptions& options) {
  if (!options.postgres_url.empty()) {
    return GivenServer::Open(options.postgres_url);
  }
  absl::StatusOr<std::string> folder = host.Folder(kName);
  if (!folder.ok()) return folder.status();
  return std::make_unique<OwnServers>(OwnServersOptions{
      .folder = *std::move(folder),
      .keep =
          host.keeps_data() ? postgres::Keep::kData : postgres::Keep::kNothing,
      .on_note = [&host](const std::string& note) { host.Note(note); }});
}

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenClusters(
    cloud::Host& host, const RdsModuleOptions& options) {
  absl::StatusOr<std::unique_ptr<Backend>> backend = OpenBackend(host, options);
  if (!backend.ok()) return backend.status();
  absl::StatusOr<std::unique_ptr<Rds>> rds = Rds::Open(
      host.store(kName), host.clock(),
      {.backend = **backend,
       .secrets = host.Find<secretsmanager::Secrets>(),
       .on_note = [&host](const std::string& note) { host.Note(note); }});
  if (!rds.ok()) return rds.status();
  host.Offer<Clusters>(**rds);
  return std::make_unique<ClustersModule>(*std::move(backend), *std::move(rds));
}

}  // namespace

cloud::ModuleSpec RdsModule(RdsModuleOptions options) {
  return {.name = kName,
          .stores = {{.name = kName}},
          .open = [options = std::move(options)](cloud::Host& host) {
            return OpenClusters(host, options);
          }};
}

}  // namespace byoshin::local::rds
