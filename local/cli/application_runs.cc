#include "local/cli/application_runs.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/applications/application.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::cli {

using applications::ApplicationRun;

ApplicationRuns::ApplicationRuns(
    const std::vector<applications::Application>& applications,
    const applications::RunWorld& world) {
  for (const applications::Application& application : applications) {
    runs_.push_back(application.run(world));
  }
}

absl::Status ApplicationRuns::Prepare(
    std::vector<stack::StackDeployment>& deployments) {
  for (stack::StackDeployment& deployment : deployments) {
    const absl::StatusOr<stack::TemplateInputs> inputs =
        stack::ReadTemplateInputs(deployment.template_text);
    if (!inputs.ok()) return inputs.status();
    for (const std::unique_ptr<ApplicationRun>& run : runs_) {
      if (absl::Status ready = run->Prepare(*inputs, deployment); !ready.ok()) {
        return ready;
      }
    }
  }
  return absl::OkStatus();
}

std::vector<cloud::ModuleSpec> ApplicationRuns::Modules() {
  std::vector<cloud::ModuleSpec> modules;
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    modules.push_back(run->Module());
  }
  return modules;
}

absl::Status ApplicationRuns::Deploy(
    const std::vector<stack::StackDeployment>& deployments,
    stack::StackCloud& cloud) {
  for (const stack::StackDeployment& deployment : deployments) {
    const absl::StatusOr<cloudformation::DeployResult> deployed =
        cloud.Deploy(deployment);
    if (!deployed.ok()) return deployed.status();
  }
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    if (absl::Status ready = run->Deployed(cloud); !ready.ok()) return ready;
  }
  return absl::OkStatus();
}

std::vector<std::string> ApplicationRuns::Greetings() const {
  std::vector<std::string> greetings;
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    if (std::string greeting = run->Greeting(); !greeting.empty()) {
      greetings.push_back(std::move(greeting));
    }
  }
  return greetings;
}

void ApplicationRuns::Begun() {
  for (const std::unique_ptr<ApplicationRun>& run : runs_) run->Begun();
}

void ApplicationRuns::Stop() {
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) (*run)->Stop();
}

std::vector<ApplicationRun*> ApplicationRuns::all() const {
  std::vector<ApplicationRun*> runs;
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    runs.push_back(run.get());
  }
  return runs;
}

}  // namespace byoshin::local::cli
