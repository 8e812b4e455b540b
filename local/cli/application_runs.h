// All applications in one run of the cloud, for `up` and `simulate`.
//
//   ApplicationRuns runs(applications, {.clock = clock, ...});
//   absl::Status ready = runs.Prepare(deployments);
//   options.applications = runs.Modules();
//   ... start the cloud ...
//   absl::Status deployed = runs.Deploy(deployments, *cloud);
//   cloud->Begin();
//   runs.Begun();
//   ...
//   runs.Stop();
//   cloud->Stop();
#ifndef BYOSHIN_LOCAL_CLI_APPLICATION_RUNS_H_
#define BYOSHIN_LOCAL_CLI_APPLICATION_RUNS_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "local/applications/application.h"
#include "local/cloud/module.h"
#include "local/cloudformation/stack.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {

// Not thread-safe.
class ApplicationRuns {
 public:
  ApplicationRuns(const std::vector<applications::Application>& applications,
                  const applications::RunWorld& world);

  // Starts what the stacks need besides the cloud, and fills in their
  // parameters.
  absl::Status Prepare(std::vector<stack::StackDeployment>& deployments);

  std::vector<cloud::ModuleSpec> Modules();

  // In the given order; the first error ends it. The code that was deployed is
  // not kept. Stacks of earlier runs are deployed again as they are, with
  // parameters for what this run has started. A note says so if that fails.
  absl::Status Deploy(std::vector<stack::StackDeployment> deployments,
                      stack::StackCloud& cloud);

  // Those that have something to say.
  std::vector<std::string> Greetings() const;
  // The stacks that they are about.
  std::set<std::string> ShownStacks() const;
  void Begun();
  // In reverse order.
  void Stop();

  std::vector<applications::ApplicationRun*> all() const;

 private:
  absl::Status PrepareOne(stack::StackDeployment& deployment);
  absl::Status DeployAgain(const cloudformation::Stack& stack,
                           stack::StackCloud& cloud);

  const std::function<void(const std::string& text)> note_;
  std::vector<std::unique_ptr<applications::ApplicationRun>> runs_;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_APPLICATION_RUNS_H_
