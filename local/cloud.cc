#include "local/cloud.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/time/clock.h"
#include "local/files/folders.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/service.h"
#include "local/store/file_header.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local {
namespace {

std::string PathOf(const std::string& directory, const std::string& name) {
  return directory.empty() ? "" : absl::StrCat(directory, "/", name, ".db");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Cloud>> Cloud::Start(
    const CloudOptions& options, const std::vector<ServiceFactory>& services,
    time::Clock& clock) {
  std::unique_ptr<Cloud> cloud(new Cloud);
  cloud->credentials_.AddOrDefault(options.credentials);
  if (!options.data_directory.empty()) {
    absl::Status status = MakePrivateFolder(options.data_directory);
    if (!status.ok()) return status;
  }
  std::vector<Service*> behind_gateway;
  for (const ServiceFactory& factory : services) {
    const std::string path = PathOf(options.data_directory, factory.name);
    absl::StatusOr<std::unique_ptr<Store>> store =
        OpenSqliteStore({.path = path, .durability = options.durability});
    if (!store.ok()) return store.status();
    cloud->stores_.push_back(*std::move(store));
    absl::StatusOr<std::unique_ptr<Service>> service =
        factory.open(*cloud->stores_.back(), clock);
    if (!service.ok()) return NameDamagedFile(service.status(), path);
    cloud->services_.push_back(*std::move(service));
    behind_gateway.push_back(cloud->services_.back().get());
  }
  absl::StatusOr<std::unique_ptr<Gateway>> gateway = Gateway::Start(
      options.gateway, behind_gateway, cloud->credentials_, clock);
  if (!gateway.ok()) return gateway.status();
  cloud->gateway_ = *std::move(gateway);
  return cloud;
}

// The gateway goes first, then the services, then their stores.
Cloud::~Cloud() = default;

}  // namespace byoshin::local
