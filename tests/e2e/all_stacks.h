// The whole cloud with all of Byoshin's stacks, deployed as `byoshin up` does,
// in the test's own process and on a simulated clock, and used as their users
// use them.
//
//   time::SimulatedClock clock(start);
//   AllStacks stacks(clock, {.data_directory = folder});
//   EXPECT_TRUE(stacks.UseScheduler().ok());
//
// Functions run in real time.
#ifndef BYOSHIN_TESTS_E2E_ALL_STACKS_H_
#define BYOSHIN_TESTS_E2E_ALL_STACKS_H_

#include <json/json.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/sync/mutex.h"
#include "core/time/real_clock.h"
#include "core/time/simulated_clock.h"
#include "local/bedrock/module.h"
#include "local/cli/application_runs.h"
#include "local/cli/arguments.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::e2e {

// Not thread-safe. The test fails if it can't be started.
class AllStacks {
 public:
  struct Options {
    // In memory if empty.
    std::string data_directory{};
    local::bedrock::BedrockOptions bedrock{};
  };
  AllStacks(time::SimulatedClock& clock, Options options);
  ~AllStacks();

  local::stack::StackCloud* operator->() { return cloud_.get(); }
  // The messages for the user, oldest first.
  std::vector<std::string> notes() const;

  // Each says what does not work.

  // Runs the next whole minute: all its slots are stored.
  absl::Status UseScheduler();
  // Has sub-goals generated: the process is COMPLETED.
  absl::Status UseGeneration();
  // Creates a group, joins it and reports data.
  absl::Status UseMesh();

  // The answer of an operation of AWS, with the account's own credentials.
  absl::StatusOr<Json::Value> Aws(const std::string& service,
                                  const std::string& target,
                                  const Json::Value& input);
  // "data" of the answer of the mesh.
  absl::StatusOr<Json::Value> Mesh(
      const std::string& document,
      const Json::Value& variables = Json::Value(Json::objectValue));
  // An output of a stack.
  std::string Output(absl::string_view stack, absl::string_view name) const;

 private:
  absl::StatusOr<Json::Value> Send(http::Request request);
  absl::StatusOr<Json::Value> CallGeneration(const std::string& method,
                                             const std::string& path,
                                             const std::string& body);

  time::SimulatedClock& clock_;
  time::RealClock wall_clock_;
  http::CurlClient http_client_{""};
  const local::cli::Arguments arguments_;
  mutable sync::Mutex mutex_;
  std::vector<std::string> notes_ ABSL_GUARDED_BY(mutex_);
  local::cli::ApplicationRuns runs_;
  std::unique_ptr<local::stack::StackCloud> cloud_;
  env::Environment environment_;
  // That UseGeneration() has started.
  int processes_ = 0;
};

}  // namespace byoshin::e2e

#endif  // BYOSHIN_TESTS_E2E_ALL_STACKS_H_
