// One creation or update of a stack, from the first resource to the end or back
// to the beginning. Used by deployer.h.
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

// Whether the properties differ in what can't be changed.
bool NeedsReplacement(const ResourceSchema& schema, const Json::Value& a,
                      const Json::Value& b);

// Adds the resource to those that the stack has left.
void Retain(const StackResource& resource, Stack& stack);

// Aborted, naming the resource, unless the status is OK.
absl::Status Failure(const StackResource& resource, const absl::Status& status);

// Not thread-safe; one use.
class Deployment {
 public:
  // All outlive it.
  struct Parts {
    time::Clock& clock;
    StackStore& stacks;
    const ProviderRegistry& registry;
    const StackContext& context;
    const Template& t;
    const ParameterValues& parameters;
    const Resolver& resolver;
    // Of resources that are there and that no stack is known to have had.
    ExistingResources existing = ExistingResources::kRefuse;
  };

  explicit Deployment(const Parts& parts) : parts_(parts) {}

  // What can be said before anything is touched: the order of the resources,
  // and that none has got another type. `stack` is null if there is none yet.
  absl::Status Prepare(const Stack* stack);

  // The stack must be in the store. True if anything has changed. Aborted with
  // the first failing resource and its reason, once all is as it was before.
  absl::StatusOr<bool> Run();

  // What people should know, also about a deployment that has failed.
  struct Note {
    // Whether the rollback of a failed deployment makes it untrue.
    enum class Validity { kAlways, kUnlessRolledBack };
    std::string text;
    Validity validity;
  };
  const std::vector<Note>& notes() const { return notes_; }

 private:
  // What has been done, and what it was before.
  struct Step {
    enum class Kind { kCreated, kReplaced, kUpdated, kMoved, kRecorded };
    Kind kind;
    std::string logical_id;
    // Not for kCreated; for kMoved, with its former logical id.
    StackResource before{};
    // kUpdated, kMoved: the properties it was to have.
    Json::Value attempted{};
  };

  const Stack& stack() const {
    return *parts_.stacks.Get(parts_.context.stack_name);
  }

  // Before anything else: deletes what an attempt that the process did not live
  // to finish has begun and the template no longer has.
  absl::Status DiscardUnknown(ResourceDriver& driver);
  // And what it was deleting for good.
  absl::Status FinishCleanUp(ResourceDriver& driver);
  // The same for the resource that is to become `next`: takes over what was
  // begun, if it can become that, deletes the rest of what was being deleted,
  // and goes back to what was replaced, if that is asked for again.
  absl::Status Settle(const StackResource& next, ResourceDriver& driver);
  absl::Status SettleBegun(const StackResource& next, ResourceDriver& driver);
  absl::Status SettleDeleted(const std::string& id, ResourceDriver& driver);
  absl::Status SettleReplaced(const StackResource& next,
                              ResourceDriver& driver);
  absl::Status Apply(const std::string& id, ResourceDriver& driver);
  absl::StatusOr<StackResource> Resolve(const std::string& id,
                                        ResourceDriver& driver);
  // What can be said only once its functions have been evaluated.
  absl::Status CheckResolved(const StackResource& next) const;
  // Of one that is as it should be: what the stack says about it.
  absl::Status RecordUnchanged(StackResource next, const StackResource& before,
                               ResourceDriver& driver);
  // Creates the resource, in place of `before` if that is not null, or takes up
  // one that is there and the stack's.
  absl::Status Make(StackResource next, const StackResource* before,
                    ResourceDriver& driver);
  absl::Status TakeUp(StackResource next, ResourceDriver::Existing existing,
                      const StackResource* before, ResourceDriver& driver);
  // Gives what the stack has under a logical id that the template no longer
  // declares the logical id of `next`.
  absl::Status Move(StackResource next, ResourceDriver::Existing existing,
                    ResourceDriver& driver);
  // Of one that was taken up or has moved: where the template does not state
  // a policy, the former one stays.
  void KeepRetained(const StackResource& before, StackResource& next) const;
  void AddMakingStep(const std::string& id, const StackResource* before);
  // Makes one again that the stack has and that is gone, under the same name.
  absl::Status Recreate(StackResource next, const StackResource& before,
                        ResourceDriver& driver);
  // What depends on such a one may have left something in it.
  bool DependsOnRecreated(const StackResource& resource) const;
  // The opposite of TakeUp().
  absl::Status Release(const StackResource& taken_up);
  void AddNote(const StackResource& resource, absl::string_view what,
               Note::Validity validity);
  // Tells that the deployment has begun, at the first change.
  absl::Status Begin(ResourceDriver& driver);
  absl::StatusOr<std::map<std::string, StackOutput>> Outputs() const;
  absl::StatusOr<std::string> Lookup(const std::string& resource,
                                     const std::string& attribute) const;

  // Makes it last. If that fails there is no way back any more; the next
  // deployment carries on from what has been kept.
  absl::Status Finish(std::map<std::string, StackOutput> outputs,
                      ResourceDriver& driver);
  // Deletes what is obsolete for good. Failures are told in the events only, as
  // on AWS: the stack no longer has the resource either way.
  absl::Status CleanUp(ResourceDriver& driver);

  // Returns what could not be taken back, in words; empty if all could.
  std::string RollBack(ResourceDriver& driver, absl::string_view reason);
  absl::Status Undo(const Step& step, ResourceDriver& driver);
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
  std::set<std::string> recreated_;  // logical ids
  std::vector<Note> notes_;
  bool begun_ = false;
  // Whether there is a state before to go back to.
  bool update_ = false;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DEPLOYMENT_H_
