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
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/stack/outcomes.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::stack {

struct StackCloudOptions {
  GatewayOptions gateway{};
  // Made if it is not there. Empty: all is kept in memory, and code and logs in
  // a folder that goes with the cloud.
  std::string data_directory{};
  Durability durability = Durability::kProcessCrash;
  // Credentials of the account that the cloud accepts. If empty, access key
  // "test" with secret "test".
  std::vector<LocalCredentials> credentials{};
  std::string region = "us-east-1";
  // Called with each record that is stored, as soon as it is durable, on a
  // thread of the cloud's; must not block. May be null.
  std::function<void(const dashboard::SlotRecord&)> on_record = nullptr;
  // Called after each invocation of a function, and when the cloud could not
  // do with a function what it should, on an internal thread; must not block.
  // May be null.
  std::function<void(const FunctionOutcome&)> on_outcome = nullptr;
  // What people should know: refusals, resources that failed. May be null.
  std::function<void(const std::string&)> on_note = nullptr;
  // Asked about each request to a service, before it is done: an error is
  // answered in its place. For faults. May be null.
  std::function<absl::Status(absl::string_view service,
                             absl::string_view operation)>
      fault = nullptr;
  // Asked at each execution of a function whether its process is to be killed
  // in the middle. May be null.
  std::function<bool()> crash = nullptr;
};

struct StackDeployment {
  std::string stack_name = "byoshin";
  std::string template_text{};
  std::map<std::string, std::string> parameters{};
  // The zips by file name: "sender.zip". The template's Metadata.Byoshin.Code
  // says which parameter stands for which; zip_folder.h, which one a function
  // has otherwise.
  std::map<std::string, std::string> zips{};
  // Where they are from, for errors: a folder.
  std::string zips_origin{};
};

// Thread-safe.
class StackCloud {
 public:
  // Once this returns, clients can connect. `clock` outlives the cloud. Errors
  // say what to do: a port or a data directory in use, a damaged file.
  static absl::StatusOr<std::unique_ptr<StackCloud>> Start(
      StackCloudOptions options, time::Clock& clock);

  StackCloud() = default;
  StackCloud(const StackCloud&) = delete;
  StackCloud& operator=(const StackCloud&) = delete;
  // As Stop().
  virtual ~StackCloud() = default;

  virtual std::string url() const = 0;

  // The names of the services behind it: "sqs".
  virtual std::vector<std::string> services() const = 0;

  // Creates the stack, or changes what differs.
  virtual absl::StatusOr<cloudformation::DeployResult> Deploy(
      const StackDeployment& deployment) = 0;

  // Starts a process for each function, so that the first slots are no later
  // than the others.
  virtual void WarmUp() = 0;

  // Schedules begin to fire, what was accepted for asynchronous invocation is
  // executed, and functions get the messages of their queues: once all that is
  // to be deployed is there.
  virtual void Begin() = 0;

  // Schedules fire no more, until they are deployed again: all that they have
  // fired goes on.
  virtual void EndSchedules() = 0;

  // Slots from this one on count as missing if they are not stored, although
  // the schedule has not fired for them: their messages were sent otherwise.
  virtual void ExpectSlotsFrom(absl::Time slot) = 0;

  // What the dashboard shows; must not be called from the cloud's threads.
  virtual dashboard::DashboardSource& source() = 0;

  // Messages that were received again, since the start.
  virtual std::int64_t retries() const = 0;

  // What functions are doing is finished, unless it takes long; then requests
  // under way are, and functions are killed. Takes less than a second.
  virtual void Stop() = 0;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_STACK_CLOUD_H_
