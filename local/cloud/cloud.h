// The local cloud in one process: modules on one clock, behind one gateway.
//
//   absl::StatusOr<std::unique_ptr<Cloud>> cloud = Cloud::Start(
//       {.gateway = {.port = 0}},
//       {dynamodb::DynamoDbModule(), sqs::SqsModule()}, clock);  // in memory
//   if (!cloud.ok()) return cloud.status();
//   ... (*cloud)->url() ...
//   (*cloud)->Stop();
#ifndef BYOSHIN_LOCAL_CLOUD_CLOUD_H_
#define BYOSHIN_LOCAL_CLOUD_CLOUD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/cloud/faulty_service.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/files/temporary_folder.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/service.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::cloud {

// The treatment of requests that arrive before Begin().
enum class EarlyRequestsAre {
  kHandled,
  // They wait for Begin(), so that no client sees an error about a role or
  // a function that is about to be deployed; but not those that deployments
  // need: see GatewayOptions::is_needed_early.
  kHeld,
};

struct CloudOptions {
  GatewayOptions gateway{};
  EarlyRequestsAre early_requests = EarlyRequestsAre::kHandled;
  // The data folder; created if it is missing, readable by its owner only. If
  // empty, data is kept in memory, and files in a folder that is removed with
  // the cloud.
  std::string data_directory{};
  Durability durability = Durability::kProcessCrash;
  // Credentials of the account that the cloud accepts. If empty, access key
  // "test" with secret "test".
  std::vector<LocalCredentials> credentials{};
  std::string region = "us-east-1";
  // Called with messages for the user: denied calls, a full disk. Called on any
  // thread; must not block. May be null.
  std::function<void(const std::string&)> on_note = nullptr;
  // Called with each request to a service before it is handled; an error is
  // returned to the client instead. For simulated faults. May be null.
  FaultyService::Fault fault = nullptr;
};

// Runs from Start() to Stop(). Thread-safe.
class Cloud {
 public:
  // Once this returns, clients can connect. `clock` must outlive the cloud.
  // Errors (a port or a data directory in use, a damaged file) say what to do.
  static absl::StatusOr<std::unique_ptr<Cloud>> Start(
      const CloudOptions& options, const std::vector<ModuleSpec>& modules,
      time::Clock& clock);

  Cloud(const Cloud&) = delete;
  Cloud& operator=(const Cloud&) = delete;
  // Calls Stop().
  ~Cloud();

  // "http://127.0.0.1:4566"
  std::string url() const { return gateway_->url(); }
  std::uint16_t port() const { return gateway_->port(); }
  // The credentials that the cloud accepts; they may be changed while it runs.
  CredentialSet& credentials() { return host_->credentials(); }
  // The names of the services: "sqs".
  std::vector<std::string> services() const;
  // A part that a module offers.
  template <typename Part>
  Part& Get() const {
    return host_->Get<Part>();
  }

  // Call it when everything is deployed: schedules start to fire, functions
  // receive the messages of their queues, and requests that are held are
  // handled.
  void Begin();

  // Refuses further requests from outside, with 503, and waits a short time for
  // those in progress, then for running functions. Takes less than a second.
  void Stop();

 private:
  Cloud() = default;

  absl::Status Open(const CloudOptions& options,
                    const std::vector<ModuleSpec>& modules, time::Clock& clock);
  absl::Status MakeDataFolder(const std::string& data_directory);
  // For files of modules: the data folder, or a temporary one that is removed
  // with the cloud.
  absl::StatusOr<std::string> Folder();
  absl::Status OpenModule(const CloudOptions& options, const ModuleSpec& spec);
  // Empty if data is in memory.
  std::string DatabasePath(const CloudOptions& options,
                           absl::string_view name) const;
  // The services between the gateway and the service.
  Service& Fronted(Service& service, const FaultyService::Fault& fault);
  // The service behind the watches of all modules, which is found from now on.
  Service& Watched(Service& service);
  absl::Status Listen(const CloudOptions& options, time::Clock& clock);

  std::once_flag stopped_;
  std::string folder_;  // absolute; empty if none was needed so far
  // Of a cloud that is to leave nothing behind; null if data is kept.
  std::unique_ptr<TemporaryFolder> temporary_;
  // Each is used by those below it.
  std::unique_ptr<Host> host_;
  std::vector<std::unique_ptr<Service>> watches_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<std::unique_ptr<Service>> fronts_;
  std::unique_ptr<Gateway> gateway_;
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_CLOUD_H_
