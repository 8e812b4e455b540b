// Deploys templates into the local cloud: creates, updates and deletes stacks.
//
//   absl::StatusOr<std::unique_ptr<Deployer>> deployer =
//       Deployer::Open(store, clock, registry, {.on_event = Print});
//   (*deployer)->Restore();  // what was deployed before
//   absl::StatusOr<DeployResult> result = (*deployer)->Deploy(
//       {.stack_name = "byoshin", .template_text = text,
//        .parameters = {{"TableName", "Counts"}}});
//   if (!result.ok()) ...  // nothing has changed; says which resource and why
//
// Only differences are deployed: a resource is updated, or replaced if its
// provider can't change it, when its resolved properties or its content (a zip)
// have changed. Data is kept. Resources that the template no longer declares
// are deleted at the end, once everything else has succeeded.
//
// A resource of the stack that no longer exists is created again. A retained
// resource of an earlier template becomes part of the stack again when a
// template declares it under the same name.
//
// A deployment that fails is rolled back. One that was interrupted by the end
// of the process is continued by the next Deploy().
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYER_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_listeners.h"
#include "local/cloudformation/stack_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {

struct DeployRequest {
  std::string stack_name{};
  std::string template_text{};
  // Missing parameters have their defaults.
  std::map<std::string, std::string> parameters{};
  // The names of those parameters that the program has supplied and not the
  // user, such as the address of a server that it has started. The stack keeps
  // them, so that a later run can supply them anew.
  std::set<std::string> supplied{};
  ExistingResources existing = ExistingResources::kRefuse;
  // Called before Deploy() returns with messages for the user: resources that
  // were missing and have been created again, or that existed and have become
  // part of the stack. If the deployment fails, only with those that still
  // apply. Must not call the deployer. May be null.
  std::function<void(const std::string&)> on_note = nullptr;
};

struct DeployResult {
  Stack stack{};
  // False if everything was already deployed.
  bool changed = false;
};

struct DeployerOptions {
  // Account, region and so on; names and ids are set for each stack.
  StackContext context{};
  StackStore::EventListener on_event = nullptr;
};

// Thread-safe: one deployment at a time, others wait. Only the deploying thread
// uses the store.
class Deployer {
 public:
  // All must outlive the deployer, and the registry must not change.
  static absl::StatusOr<std::unique_ptr<Deployer>> Open(
      Store& store, time::Clock& clock, const ProviderRegistry& registry,
      DeployerOptions options);

  // Lets the providers restore what they keep only in memory. A resource that
  // can't be restored does not prevent others from it, and is marked as failed,
  // so that the next Deploy() updates it. The error has the first one of each
  // stack and the number of others; the stack's events have all.
  absl::Status Restore();

  // InvalidArgument for an error in the template or the parameters,
  // FailedPrecondition for a violated rule: nothing was changed. Aborted: a
  // resource failed and the rest was rolled back.
  absl::StatusOr<DeployResult> Deploy(const DeployRequest& request);

  // Deletes the resources, except those to be retained, and the stack. Returns
  // its last state. NotFound if there is none; Aborted if a resource could not
  // be deleted: the stack then has what is left.
  absl::StatusOr<Stack> Delete(const std::string& stack_name);

  // Calls `listener` with each stack that there is, and from now on with each
  // that has been deployed or deleted, before Deploy() or Delete() returns.
  int Subscribe(StackListeners::Listener listener);
  void Unsubscribe(int subscription) { listeners_.Remove(subscription); }

  std::optional<Stack> Find(const std::string& stack_name) const {
    return stacks_.Find(stack_name);
  }
  std::vector<std::string> Names() const { return stacks_.Names(); }

 private:
  Deployer(Store& store, time::Clock& clock, const ProviderRegistry& registry,
           DeployerOptions options);

  StackContext ContextOf(const Stack& stack) const;

  time::Clock& clock_;
  const ProviderRegistry& registry_;
  const DeployerOptions options_;
  StackStore stacks_;
  StackListeners listeners_;
  sync::Mutex deploying_;  // held during a deployment or deletion
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYER_H_
