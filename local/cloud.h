// The local cloud in one process: services, each with a database of its own,
// behind one gateway. `./bazelw run //local:serve` is this and a command line;
// tests start it in-process.
//
//   absl::StatusOr<std::unique_ptr<Cloud>> cloud = Cloud::Start(
//       {.gateway = {.port = 0}}, StorageServices(), clock);  // in memory
//   if (!cloud.ok()) return cloud.status();
//   ... (*cloud)->url() ...
//   (*cloud)->Stop();
#ifndef BYOSHIN_LOCAL_CLOUD_H_
#define BYOSHIN_LOCAL_CLOUD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/time/clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/service.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local {

// How a service comes to be: with a store of its own, from which it loads its
// state. Store and clock outlive it.
struct ServiceFactory {
  // Of its file in the data directory: "sqs" for sqs.db.
  std::string name{};
  std::function<absl::StatusOr<std::unique_ptr<Service>>(Store& store,
                                                         time::Clock& clock)>
      open{};
};

struct CloudOptions {
  GatewayOptions gateway{};
  // Made if it is not there, for nobody else to read. Empty: all is kept in
  // memory.
  std::string data_directory{};
  Durability durability = Durability::kProcessCrash;
  // Who may call. None means access key "test" with secret "test".
  std::vector<LocalCredentials> credentials{};
};

// Runs from Start() to Stop(). Thread-safe.
class Cloud {
 public:
  // Once this returns, clients can connect. `clock` outlives the cloud. Errors
  // are those of Gateway::Start(), OpenSqliteStore() and the services;
  // Unavailable if the data directory can't be made. They say what to do.
  static absl::StatusOr<std::unique_ptr<Cloud>> Start(
      const CloudOptions& options, const std::vector<ServiceFactory>& services,
      time::Clock& clock);

  Cloud(const Cloud&) = delete;
  Cloud& operator=(const Cloud&) = delete;
  // As Stop().
  ~Cloud();

  // "http://127.0.0.1:4566"
  std::string url() const { return gateway_->url(); }
  std::uint16_t port() const { return gateway_->port(); }
  // To let more callers in while the cloud runs, or turn some away.
  CredentialSet& credentials() { return credentials_; }

  // Lets requests under way finish, for half a second at most.
  void Stop() { gateway_->Stop(); }

 private:
  Cloud() = default;

  CredentialSet credentials_;
  // Each is used by what stands below it.
  std::vector<std::unique_ptr<Store>> stores_;
  std::vector<std::unique_ptr<Service>> services_;
  std::unique_ptr<Gateway> gateway_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_CLOUD_H_
