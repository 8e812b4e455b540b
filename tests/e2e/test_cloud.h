// The whole cloud with the scheduler's own template and zips, in the test's own
// process, on a clock of the test's: where a test wants to change what is
// deployed, or look closer than a command does.
//
//   time::SimulatedClock clock(start);
//   TestCloud cloud(clock);
//   stack::StackDeployment deployment = cloud.deployment();
//   ASSERT_TRUE(cloud.Deploy(deployment).ok());
//   cloud->Begin();
//   clock.RunUntil(start + absl::Minutes(5));
//   cloud.stored();
#ifndef BYOSHIN_TESTS_E2E_TEST_CLOUD_H_
#define BYOSHIN_TESTS_E2E_TEST_CLOUD_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/curl_client.h"
#include "core/http/server.h"
#include "core/time/clock.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/cli/live_report.h"
#include "local/dashboard/source.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::e2e {

// What the scheduler's template calls its functions, and a zip.
inline constexpr char kSender[] = "SenderFunction";
inline constexpr char kCollector[] = "CollectorFunction";
inline constexpr char kCollectorZip[] = "collector.zip";

// The minute that tests begin with: 2025-12-02T10:23:00Z.
inline const absl::Time kMinute = absl::FromUnixSeconds(1'764'670'980);

// Thread-safe. The test fails if it can't be started.
class TestCloud {
 public:
  // `clock` outlives it. Without a folder it leaves nothing behind.
  explicit TestCloud(time::Clock& clock, std::string data_directory = "");

  // Of the template and the zips that AWS would get, polling a mock API.
  const local::stack::StackDeployment& deployment() const {
    return deployment_;
  }
  ~TestCloud();
  absl::Status Deploy(const local::stack::StackDeployment& deployment);

  local::stack::StackCloud* operator->() { return cloud_.get(); }

  // How often each slot was stored.
  std::map<absl::Time, int> stored() const;

  // What people were told, oldest first.
  std::vector<std::string> notes() const;

  // What `byoshin up` prints about failures, once this was called. The cloud
  // must be deployed.
  void WatchFailures();
  std::vector<std::string> failure_lines() const;

  // What the dashboard says of a function of the template, by its logical name.
  local::dashboard::FunctionStatus StatusOf(absl::string_view function);
  // Whether a line of its log has `text`.
  bool Logged(absl::string_view function, absl::string_view text);

 private:
  // As `byoshin up` is told by no flags at all.
  const local::cli::Arguments arguments_;
  local::stack::StackDeployment deployment_;
  mutable std::mutex mutex_;
  std::map<absl::Time, int> stored_;        // guarded by mutex_
  std::vector<std::string> notes_;          // guarded by mutex_
  std::vector<std::string> failure_lines_;  // guarded by mutex_
  http::CurlClient http_client_{""};
  std::unique_ptr<local::applications::ApplicationRun> scheduler_;
  std::unique_ptr<local::cli::LiveReport> live_;  // used by cloud_, uses it
  std::unique_ptr<http::Server> api_;
  std::unique_ptr<local::stack::StackCloud> cloud_;
};

}  // namespace byoshin::e2e

#endif  // BYOSHIN_TESTS_E2E_TEST_CLOUD_H_
