#include "local/cli/application_runs.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "local/applications/application.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/stack/deployments.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::cli {

using applications::ApplicationRun;

ApplicationRuns::ApplicationRuns(
    const std::vector<applications::Application>& applications,
    const applications::RunWorld& world)
    : note_(world.note) {
  for (const applications::Application& application : applications) {
    runs_.push_back(application.run(world));
  }
}

absl::Status ApplicationRuns::Prepare(
    std::vector<stack::StackDeployment>& deployments) {
  for (stack::StackDeployment& deployment : deployments) {
    if (absl::Status ready = PrepareOne(deployment); !ready.ok()) return ready;
  }
  return absl::OkStatus();
}

absl::Status ApplicationRuns::PrepareOne(stack::StackDeployment& deployment) {
  const absl::StatusOr<stack::TemplateInputs> inputs =
      stack::ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  const std::map<std::string, std::string> given = deployment.parameters;
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    if (absl::Status ready = run->Prepare(*inputs, deployment); !ready.ok()) {
      return ready;
    }
  }
  for (const auto& [name, value] : deployment.parameters) {
    if (!given.contains(name)) deployment.supplied.insert(name);
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
    std::vector<stack::StackDeployment> deployments, stack::StackCloud& cloud) {
  std::set<std::string> done;
  for (stack::StackDeployment& deployment : deployments) {
    done.insert(deployment.stack_name);
    const absl::StatusOr<cloudformation::DeployResult> deployed =
        cloud.Deploy(std::move(deployment));
    if (!deployed.ok()) return deployed.status();
  }
  const auto& deployer = cloud.Get<cloudformation::Deployer>();
  for (const std::string& name : deployer.Names()) {
    const std::optional<cloudformation::Stack> stack = deployer.Find(name);
    if (done.contains(name) || !stack.has_value()) continue;
    if (absl::Status again = DeployAgain(*stack, cloud); !again.ok()) {
      note_(absl::StrCat("the stack ", name, ", which an earlier run has ",
                         "deployed, may not work: ", again.message(),
                         " (`byoshin down ", name, "` removes it)"));
    }
  }
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    if (absl::Status ready = run->Deployed(cloud); !ready.ok()) return ready;
  }
  return absl::OkStatus();
}

absl::Status ApplicationRuns::DeployAgain(const cloudformation::Stack& stack,
                                          stack::StackCloud& cloud) {
  if (!stack.established) {
    return absl::FailedPreconditionError("its deployment has failed");
  }
  if (absl::StartsWith(stack.status, "DELETE_")) {
    return absl::FailedPreconditionError("it is partly removed");
  }
  stack::StackDeployment again{.stack_name = stack.name,
                               .template_text = stack.template_text,
                               .parameters = stack.parameters};
  for (const std::string& name : stack.supplied) again.parameters.erase(name);
  if (absl::Status ready = PrepareOne(again); !ready.ok()) return ready;
  return cloud.Get<stack::Deployments>().DeployAgain(again).status();
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

std::set<std::string> ApplicationRuns::ShownStacks() const {
  std::set<std::string> stacks;
  for (const std::unique_ptr<ApplicationRun>& run : runs_) {
    stacks.insert(run->ShownStack());
  }
  return stacks;
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
