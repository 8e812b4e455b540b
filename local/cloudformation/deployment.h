// A creation or update of a stack, with its rollback. Used by deployer.h.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYMENT_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYMENT_H_

#include <json/json.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/order.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

// Whether the properties differ in members that can't be changed.
bool NeedsReplacement(const ResourceSchema& schema, const Json::Value& a,
                      const Json::Value& b);

// Adds the resource to the stack's retained ones.
void Retain(const StackResource& resource, Stack& stack);

// Aborted, naming the resource, unless the status is OK.
absl::Status Failure(const StackResource& resource, const absl::Status& status);

// Not thread-safe; one use.
class Deployment {
 public:
  // All must outlive this.
  struct Parts {
    time::Clock& clock;
    StackStore& stacks;
    const ProviderRegistry& registry;
    const StackContext& context;
    const Template& t;
    const ParameterValues& parameters;
    const std::set<std::string>& supplied;
    const Resolver& resolver;
    // What to do with existing resources that belong to no known stack.
    ExistingResources existing = ExistingResources::kRefuse;
  };

  explicit Deployment(const Parts& parts) : parts_(parts) {}

  // Checks what can be checked before any change: the order of the resources,
  // and that none has changed its type. `stack` is null if there is none yet.
  absl::Status Prepare(const Stack* stack);

  // The stack must be in the store. True if anything has changed. Aborted, with
  // the first failing resource and its reason, after the rollback.
  absl::StatusOr<bool> Run();

  // Messages for the user, also about a failed deployment.
  struct Note {
    // Whether a rollback makes it untrue.
    enum class Validity { kAlways, kUnlessRolledBack };
    std::string text;
    Validity validity;
  };
  const std::vector<Note>& notes() const { return notes_; }

 private:
  // A change, and the state before it.
  struct Step {
    enum class Kind { kCreated, kReplaced, kUpdated, kMoved, kRecorded };
    Kind kind;
    std::string logical_id;
    // Not for kCreated; for kMoved, with its former logical id.
    StackResource before{};
    // kUpdated, kMoved: the new properties.
    Json::Value attempted{};
  };

  const Stack& stack() const {
    return *parts_.stacks.Get(parts_.context.stack_name);
  }

  // Called first: deletes what an interrupted deployment has begun and the
  // template no longer declares.
  absl::Status DiscardUnknown(ResourceDriver& driver);
  // Finishes its deletions, too.
  absl::Status FinishCleanUp(ResourceDriver& driver);
  // The same for the resource that is to become `next`: adopts what was begun,
  // if it can become that, finishes deletions, and returns to what was
  // replaced, if the template declares that again.
  absl::Status Settle(const StackResource& next, ResourceDriver& driver);
  absl::Status SettleBegun(const StackResource& next, ResourceDriver& driver);
  absl::Status SettleDeleted(const std::string& id, ResourceDriver& driver);
  absl::Status SettleReplaced(const StackResource& next,
                              ResourceDriver& driver);
  absl::Status Apply(const std::string& id, ResourceDriver& driver);
  absl::StatusOr<StackResource> Resolve(const std::string& id,
                                        ResourceDriver& driver);
  // Checks what can be checked only once its functions have been evaluated.
  absl::Status CheckResolved(const StackResource& next) const;
  // Updates the stack's record of a resource that has not changed.
  absl::Status RecordUnchanged(StackResource next, const StackResource& before,
                               ResourceDriver& driver);
  // Creates the resource, in place of `before` if that is not null, or adopts
  // an existing one of the stack.
  absl::Status Make(StackResource next, const StackResource* before,
                    ResourceDriver& driver);
  absl::Status TakeUp(StackResource next, ResourceDriver::Existing existing,
                      const StackResource* before, ResourceDriver& driver);
  // Moves a resource of the stack, whose logical id the template no longer
  // declares, to the logical id of `next`.
  absl::Status Move(StackResource next, ResourceDriver::Existing existing,
                    ResourceDriver& driver);
  // For a resource that was adopted or moved: keeps the previous policy if the
  // template does not state one.
  void KeepRetained(const StackResource& before, StackResource& next) const;
  void AddMakingStep(const std::string& id, const StackResource* before);
  // Creates a missing resource of the stack again, under the same name.
  absl::Status Recreate(StackResource next, const StackResource& before,
                        ResourceDriver& driver);
  // Whether a resource that it depends on, directly or through others, was
  // created again: it may have stored something in that, or copied something
  // of it, as a deployment of API Gateway has copied the authorizers.
  bool DependsOnRecreated(const StackResource& resource) const;
  // The opposite of TakeUp().
  absl::Status Release(const StackResource& taken_up);
  void AddNote(const StackResource& resource, absl::string_view what,
               Note::Validity validity);
  // Records the start of the deployment, at the first change.
  absl::Status Begin(ResourceDriver& driver);
  absl::StatusOr<std::map<std::string, StackOutput>> Outputs() const;
  absl::StatusOr<std::string> Lookup(const std::string& resource,
                                     const std::string& attribute) const;

  // Commits. If that fails, no rollback is possible; the next deployment
  // continues from what was committed.
  absl::Status Finish(std::map<std::string, StackOutput> outputs,
                      ResourceDriver& driver);
  // Deletes obsolete resources. Failures are only reported in the events, as on
  // AWS: the stack no longer has the resource either way.
  absl::Status CleanUp(ResourceDriver& driver);

  // Returns a description of what could not be rolled back; empty on success.
  std::string RollBack(ResourceDriver& driver, absl::string_view reason);
  absl::Status Undo(const Step& step, ResourceDriver& driver);
  // Deletes what an update of the resource had replaced it by.
  absl::Status DeleteReplaced(const std::string& id, ResourceDriver& driver);
  absl::Status UndoMove(const Step& step, ResourceDriver& driver);
  absl::Status UndoReplacement(const StackResource& now,
                               const StackResource& before,
                               ResourceDriver& driver);
  void SetStatus(absl::string_view status, absl::string_view reason,
                 ResourceDriver& driver);

  const Parts parts_;
  Dependencies dependencies_;
  std::vector<std::string> order_;
  std::vector<Step> steps_;
  // The logical ids of resources that were created again, and of those that
  // depend on them.
  std::set<std::string> recreated_;
  std::vector<Note> notes_;
  bool begun_ = false;
  // Whether there is a previous state to return to.
  bool update_ = false;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYMENT_H_
