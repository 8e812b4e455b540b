// The whole local cloud in one process: every service that a template may use,
// on one clock, behind one gateway.
//
//   absl::StatusOr<std::unique_ptr<StackCloud>> cloud =
//       StackCloud::Start({.data_directory = "data"}, clock);
//   if (!cloud.ok()) return cloud.status();
//   absl::Status deployed = (*cloud)->Deploy(
//       {.stack_name = "byoshin", .template_text = text, .zips = {...}});
//   (*cloud)->Begin();       // schedules fire from now on
//   ... (*cloud)->url() ...  // the dashboard, and where AWS clients go
//
// On a SimulatedClock nothing but the functions takes real time: see
// local/lambda/executor.h.
#ifndef BYOSHIN_LOCAL_STACK_STACK_CLOUD_H_
#define BYOSHIN_LOCAL_STACK_STACK_CLOUD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/bedrock/module.h"
#include "local/cloud/cloud.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/source.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/stack/deployments.h"
#include "local/stack/outcomes.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::stack {

struct StackCloudOptions {
  GatewayOptions gateway{};
  cloud::EarlyRequestsAre early_requests = cloud::EarlyRequestsAre::kHandled;
  // Created if it does not exist. If empty, data is kept in memory, and code
  // and logs in a temporary folder.
  std::string data_directory{};
  Durability durability = Durability::kProcessCrash;
  // Credentials of the account that the cloud accepts. If empty, access key
  // "test" with secret "test".
  std::vector<LocalCredentials> credentials{};
  std::string region = "us-east-1";
  // The URL of a PostgreSQL server for the clusters of RDS. If empty, each
  // cluster has a server of its own.
  std::string postgres_url{};
  // What applications add to the cloud. Each may use all services.
  std::vector<cloud::ModuleSpec> applications{};
  // Called after each invocation of a function, and when the cloud could not
  // invoke one, on an internal thread; must not block. May be null.
  std::function<void(const FunctionOutcome&)> on_outcome = nullptr;
  // Called with messages for the user, such as denied permissions and failed
  // resources. May be null.
  std::function<void(const std::string&)> on_note = nullptr;
  // Called before each request to a service; an error is returned to the client
  // in place of the answer. For simulated faults. May be null.
  std::function<absl::Status(absl::string_view service,
                             absl::string_view operation)>
      fault = nullptr;
  // Asked at each execution of a function whether its process is to be killed
  // in the middle. May be null.
  std::function<bool()> crash = nullptr;
  // Which model answers calls of Bedrock.
  bedrock::BedrockOptions bedrock{};
};

// Thread-safe.
class StackCloud {
 public:
  // Once this returns, clients can connect. `clock` outlives the cloud. Errors
  // say what to do: a port or a data directory in use, a damaged file.
  static absl::StatusOr<std::unique_ptr<StackCloud>> Start(
      const StackCloudOptions& options, time::Clock& clock);

  StackCloud(const StackCloud&) = delete;
  StackCloud& operator=(const StackCloud&) = delete;

  std::string url() const { return cloud_->url(); }

  // The names of all databases: "sqs" is sqs.db in the data folder.
  static std::vector<std::string> StoreNames();

  // The names of the services behind it: "sqs".
  std::vector<std::string> services() const { return cloud_->services(); }

  // A part that a module has offered.
  template <typename Part>
  Part& Get() const {
    return cloud_->Get<Part>();
  }

  // As Deployments::Deploy(); Get<Deployments>() can do more.
  absl::StatusOr<cloudformation::DeployResult> Deploy(
      StackDeployment deployment) {
    return Get<Deployments>().Deploy(std::move(deployment));
  }

  // Starts a process for each function, so that the first invocations are no
  // slower than the others.
  void WarmUp();

  // Schedules begin to fire, what was accepted for asynchronous invocation is
  // executed, and functions get the messages of their queues: once all that is
  // to be deployed is there.
  void Begin() { cloud_->Begin(); }

  // Disables schedules until they are deployed again. What they have fired
  // continues.
  void EndSchedules();

  // What the dashboard shows; must not be called from the cloud's threads.
  dashboard::DashboardSource& source() const;

  // Messages that were received again, since the start.
  std::int64_t retries() const;

  // What functions are doing is finished, unless it takes long; then requests
  // under way are, and functions are killed. Takes less than a second. The
  // destructor does the same.
  void Stop() { cloud_->Stop(); }

 private:
  explicit StackCloud(std::unique_ptr<cloud::Cloud> cloud)
      : cloud_(std::move(cloud)) {}

  const std::unique_ptr<cloud::Cloud> cloud_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_STACK_CLOUD_H_
