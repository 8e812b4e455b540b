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
// Only what differs from what is deployed is touched: a resource is updated, or
// replaced if its provider can't change it, when its resolved properties or
// what it is made of (a zip) have changed. Data stay where they are. What the
// stack no longer has is deleted at the end, once all else has succeeded.
//
// What the stack has and is not there any more is created again. What a
// template of the stack had, and left because it was to be retained, becomes
// part of the stack again when a template declares it under the same name.
//
// A deployment that fails is rolled back. One that the process did not live to
// finish is carried on by the next Deploy().
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYER_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
  // What is not given has its default.
  std::map<std::string, std::string> parameters{};
  ExistingResources existing = ExistingResources::kRefuse;
  // Called before Deploy() returns with what people should know: what was
  // missing and has been created again, what was there and has become part of
  // the stack. If the deployment fails, with what holds nevertheless. Must not
  // call the deployer. May be null.
  std::function<void(const std::string&)> on_note = nullptr;
};

struct DeployResult {
  Stack stack{};
  // False if everything was deployed as it should be.
  bool changed = false;
};

struct DeployerOptions {
  // Account, region and so on; names and ids are filled in for each stack.
  StackContext context{};
  StackStore::EventListener on_event = nullptr;
};

// Thread-safe: one deployment at a time, others wait. The store is used by the
// deploying thread alone.
class Deployer {
 public:
  // All outlive the deployer, and the registry does not change any more.
  static absl::StatusOr<std::unique_ptr<Deployer>> Open(
      Store& store, time::Clock& clock, const ProviderRegistry& registry,
      DeployerOptions options);

  // Lets the providers put back what they keep in memory only. A resource that
  // can't be put back keeps no other from it, and is marked as failed, so that
  // the next Deploy() makes it anew. The error has the first one of each stack
  // and the number of others; the stack's events have all.
  absl::Status Restore();

  // InvalidArgument for a mistake of the template or the parameters,
  // FailedPrecondition for a broken rule: then nothing was begun. Aborted: a
  // resource failed and the rest was rolled back.
  absl::StatusOr<DeployResult> Deploy(const DeployRequest& request);

  // Deletes the resources, but for those to be retained, and forgets the stack.
  // Returns it as it was at the end. NotFound if there is none; Aborted if a
  // resource could not be deleted: the stack then has what is left.
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
  std::mutex deploying_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYER_H_
