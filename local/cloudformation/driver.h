// Does one thing to one resource of a stack: asks its provider, tells of it in
// the stack's events, and keeps what has become of it. Used by deployer.h.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_DRIVER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_DRIVER_H_

#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/order.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"

namespace byoshin::local::cloudformation {

// What to do with resources that a template declares and that are there before
// its stack has them.
enum class ExistingResources {
  // As AWS does, unless the stack itself has left them.
  kRefuse,
  kTakeUp,
};

// Not thread-safe. Errors are the providers' own, or the store's.
class ResourceDriver {
 public:
  // All outlive it.
  ResourceDriver(StackStore& stacks, const ProviderRegistry& registry,
                 const StackContext& context)
      : stacks_(stacks), registry_(registry), context_(context) {}

  absl::StatusOr<std::string> Fingerprint(const StackResource& resource);

  // What the resource has become is part of the stack, and kept by the next
  // commit: until then it is known to have been begun. `replaced` is what it
  // takes the place of, or null. FindExisting() must have found nothing.
  absl::Status Create(StackResource resource, const StackResource* replaced);
  // For one of the stack's `begun`, which is none of them any more then. If it
  // is there, Adopt() makes it part of the stack, still to be updated, and
  // returns true; Discard() deletes it.
  absl::StatusOr<bool> Adopt(StackResource begun,
                             const StackResource* replaced);
  absl::Status Discard(StackResource begun);
  absl::Status Update(StackResource resource, const Json::Value& previous);

  // A resource that is there before the stack has it.
  struct Existing {
    ResourceState state{};
    std::string name_suffix{};
    // As far as known.
    Json::Value properties{Json::objectValue};
    // As this stack has it under another logical id, which the template no
    // longer declares, or as it has left it. Neither: no stack has it.
    std::optional<StackResource> moved{};
    std::optional<StackResource> retained{};
  };
  // What is there in place of `resource` and may be taken up; nothing if there
  // is nothing. AlreadyExists if it must not be, or can't become that.
  // `declared` has the logical ids of the template.
  absl::StatusOr<std::optional<Existing>> FindExisting(
      const StackResource& resource, ExistingResources existing,
      const Dependencies& declared);
  // Makes it part of the stack, still to be updated.
  absl::Status TakeUp(StackResource resource, const StackResource* replaced);
  // The same for what the stack has under the logical id `from`.
  absl::Status Move(const std::string& from, StackResource resource);

  // Whether it is there; false if nobody can tell.
  bool IsThere(const StackResource& resource);
  // Whether it is gone although the stack has it.
  absl::StatusOr<bool> IsMissing(const StackResource& resource);
  // Creates such a one again.
  absl::Status Recreate(StackResource resource);

  // Takes a resource to be as it was before, without asking anybody.
  absl::Status Record(StackResource resource);

  // Keeps that the resource is about to be deleted: if the process ends
  // meanwhile, nobody takes it to be there.
  absl::Status MarkDeleted(StackResource resource);
  // Deletes the resource, or leaves it if it is to be retained. Does not change
  // the stack's list.
  absl::Status Delete(const StackResource& resource, RemovalPolicy policy);
  // The same for one that a failed deployment has made: it goes even if it is
  // protected, unless it holds data.
  absl::Status TakeBack(const StackResource& resource);
  // Such as "3 items"; empty if it holds no data, or nobody can tell.
  std::string DataOf(const StackResource& resource);
  // One that can't be restored is updated by the next deployment, though
  // nothing of it has changed. One that is missing is no error: the next
  // deployment creates it again.
  absl::Status Restore(const StackResource& resource);

  void AddStackEvent(absl::string_view status, absl::string_view reason);

 private:
  // That of `retained` which `found` is; null if it is none.
  const StackResource* FindRetained(const StackResource& resource,
                                    const ResourceState& found);
  bool IsSame(const StackResource& resource, const ResourceState& found);
  // Which stack has `found`, and as what.
  struct Owner {
    std::string stack_name{};
    StackResource resource{};
    // Whether it is one of the stack's `resources`.
    bool is_listed = false;
  };
  std::optional<Owner> OwnerOf(const StackResource& resource,
                               const ResourceState& found);
  // Whether `resource`, which the stack does not have yet, can become it.
  bool IsMovable(const Owner& owner, const StackResource& resource,
                 const Dependencies& declared) const;
  // Why what `owner` has can't be `resource`, and what to do, in sentences.
  std::string DescribeOwner(const Owner& owner, const StackResource& resource,
                            const Dependencies& declared) const;
  // Lets the next deployment look at it.
  void MarkFailed(StackResource resource, absl::string_view reason);
  // What a resource is found to be under the name that it is to have.
  absl::StatusOr<std::optional<ResourceState>> Find(
      const StackResource& resource);
  // Puts it into the stack's list.
  void Put(StackResource resource, const StackResource* replaced);
  absl::Status DeleteBy(
      const StackResource& resource,
      absl::Status (ResourceProvider::*remove)(const ResourceRequest&));
  ResourceRequest RequestFor(const StackResource& resource) const;
  absl::StatusOr<ResourceProvider*> ProviderOf(
      const StackResource& resource) const;
  void AddEvent(const StackResource& resource, absl::string_view status,
                absl::string_view reason);

  StackStore& stacks_;
  const ProviderRegistry& registry_;
  const StackContext& context_;
};

// The order to delete in: each before those that it depends on.
std::vector<StackResource> InDeletionOrder(
    std::vector<StackResource> resources);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DRIVER_H_
