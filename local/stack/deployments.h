// Deploys stacks and removes them, together with the zips of their functions.
//
//   Deployments deployments({.deployer = deployer, .zips = zips,
//                            .lambda = lambda, .note = note});
//   absl::StatusOr<cloudformation::DeployResult> deployed =
//       deployments.Deploy({.template_text = text, .zips = {...}});
//   absl::StatusOr<RemovedStack> removed = deployments.Remove("byoshin");
#ifndef BYOSHIN_LOCAL_STACK_DEPLOYMENTS_H_
#define BYOSHIN_LOCAL_STACK_DEPLOYMENTS_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/sync/mutex.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/source.h"
#include "local/lambda/lambda.h"
#include "local/lambda/zip_folder.h"

namespace byoshin::local::stack {

struct StackDeployment {
  std::string stack_name = "byoshin";
  std::string template_text{};
  std::map<std::string, std::string> parameters{};
  // As cloudformation::DeployRequest::supplied.
  std::set<std::string> supplied{};
  // The zips by file name: "sender.zip". The template's Metadata.Byoshin.Code
  // says which parameter stands for which; zip_folder.h, which one a function
  // has otherwise.
  std::map<std::string, std::string> zips{};
  // Where they are from, for errors: a folder.
  std::string zips_origin{};
};

// Thread-safe.
class Deployments {
 public:
  // All outlive it.
  struct World {
    cloudformation::Deployer& deployer;
    lambda::ZipFolder& zips;
    lambda::Lambda& lambda;
    // Messages for the user. Never null.
    std::function<void(const std::string&)> note;
  };
  explicit Deployments(World world) : world_(std::move(world)) {}

  // Creates the stack, or changes what differs. Other stacks stay as they are.
  absl::StatusOr<cloudformation::DeployResult> Deploy(
      StackDeployment deployment);

  // Deploys a stack again as it is, with the code that it has, but with the
  // parameters of `deployment`. Its zips are not used. If a parameter's value
  // is not kept, because of NoEcho, no parameter may differ:
  // FailedPrecondition.
  absl::StatusOr<cloudformation::DeployResult> DeployAgain(
      const StackDeployment& deployment);

  // Deletes a stack with its resources, as CloudFormation's DeleteStack does,
  // and code that no other stack uses. NotFound if there is no such stack;
  // Aborted if a resource could not be deleted.
  absl::StatusOr<dashboard::RemovedStack> Remove(const std::string& stack_name);

 private:
  absl::StatusOr<cloudformation::DeployResult> DeployLocked(
      const cloudformation::DeployRequest& request,
      std::set<std::string> used_zips) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Deletes zips that no deployed function names, but for `kept`.
  void RemoveUnusedCode(std::set<std::string> kept)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const World world_;
  // What one deployment has put, another is not to remove.
  sync::Mutex mutex_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_DEPLOYMENTS_H_
