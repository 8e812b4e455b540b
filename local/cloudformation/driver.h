// Performs one operation on one resource of a stack: calls its provider, adds
// to the stack's events, and records the result. Used by deployer.h.
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

// What to do with resources that a template declares and that exist before they
// are part of its stack.
enum class ExistingResources {
  // As on AWS, unless the stack itself has retained them.
  kRefuse,
  kTakeUp,
};

// Not thread-safe. Errors are the providers' own, or the store's.
class ResourceDriver {
 public:
  // All must outlive this.
  ResourceDriver(StackStore& stacks, const ProviderRegistry& registry,
                 const StackContext& context)
      : stacks_(stacks), registry_(registry), context_(context) {}

  absl::StatusOr<std::string> Fingerprint(const StackResource& resource);

  // Creates the resource as part of the stack, stored by the next commit; until
  // then it is recorded as begun. `replaced` is the resource that it replaces,
  // or null. FindExisting() must have found nothing.
  absl::Status Create(StackResource resource, const StackResource* replaced);
  // For one of the stack's `begun`, which is removed from there. If it exists,
  // Adopt() makes it part of the stack, still to be updated, and returns true;
  // Discard() deletes it.
  absl::StatusOr<bool> Adopt(StackResource begun,
                             const StackResource* replaced);
  absl::Status Discard(StackResource begun);
  absl::Status Update(StackResource resource, const Json::Value& previous);

  // A resource that exists and is not part of the stack.
  struct Existing {
    ResourceState state{};
    std::string name_suffix{};
    // As far as known.
    Json::Value properties{Json::objectValue};
    // The stack's record of it, under another logical id that the template no
    // longer declares, or as a retained resource. If neither is set, no stack
    // has it.
    std::optional<StackResource> moved{};
    std::optional<StackResource> retained{};
  };
  // An existing resource that may be adopted as `resource`; nullopt if there is
  // none. AlreadyExists if it exists but must not or can't be adopted.
  // `declared` has the logical ids of the template.
  absl::StatusOr<std::optional<Existing>> FindExisting(
      const StackResource& resource, ExistingResources existing,
      const Dependencies& declared);
  // Makes it part of the stack, still to be updated.
  absl::Status TakeUp(StackResource resource, const StackResource* replaced);
  // The same for what the stack has under the logical id `from`.
  absl::Status Move(const std::string& from, StackResource resource);

  // Whether it exists; false if that is unknown.
  bool IsThere(const StackResource& resource);
  // Whether it is missing although the stack has it.
  absl::StatusOr<bool> IsMissing(const StackResource& resource);
  // Creates a missing resource again.
  absl::Status Recreate(StackResource resource);

  // Records a resource as it was before, without calling its provider.
  absl::Status Record(StackResource resource);

  // Records that the resource is about to be deleted, so that it does not count
  // as existing if the process ends meanwhile.
  absl::Status MarkDeleted(StackResource resource);
  // Deletes the resource, or retains it by its policy. Does not change the
  // stack's list.
  absl::Status Delete(const StackResource& resource, RemovalPolicy policy);
  // The same for one that a failed deployment has created: it is deleted even
  // if it is protected, unless it holds data.
  absl::Status TakeBack(const StackResource& resource);
  // Such as "3 items"; empty if it holds no data, or that is unknown.
  std::string DataOf(const StackResource& resource);
  // A resource that can't be restored is updated by the next deployment even if
  // nothing has changed. A missing one is not an error: the next deployment
  // creates it again.
  absl::Status Restore(const StackResource& resource);

  void AddStackEvent(absl::string_view status, absl::string_view reason);

 private:
  // The element of `retained` that is `found`; null if there is none.
  const StackResource* FindRetained(const StackResource& resource,
                                    const ResourceState& found);
  bool IsSame(const StackResource& resource, const ResourceState& found);
  // The stack that has `found`, and its record there.
  struct Owner {
    std::string stack_name{};
    StackResource resource{};
    // Whether it is one of the stack's `resources`.
    bool is_listed = false;
  };
  std::optional<Owner> OwnerOf(const StackResource& resource,
                               const ResourceState& found);
  // Whether the found resource can become `resource`.
  bool IsMovable(const Owner& owner, const StackResource& resource,
                 const Dependencies& declared) const;
  // Why the resource of `owner` can't become `resource`, and what to do, in
  // sentences.
  std::string DescribeOwner(const Owner& owner, const StackResource& resource,
                            const Dependencies& declared) const;
  // Marks it to be checked by the next deployment.
  void MarkFailed(StackResource resource, absl::string_view reason);
  // The existing resource with the name that `resource` will have.
  absl::StatusOr<std::optional<ResourceState>> Find(
      const StackResource& resource);
  // An update has replaced `resource`, whose properties were `previous`, by the
  // one with another physical id: it becomes obsolete.
  void HandleReplaced(const StackResource& resource,
                      const Json::Value& previous, const std::string& new_id);
  // Puts it into the stack's list.
  void Put(StackResource resource, const StackResource* replaced);
  absl::Status DeleteBy(
      const StackResource& resource,
      absl::Status (ResourceProvider::*remove)(const ResourceRequest&));
  ResourceRequest RequestFor(const StackResource& resource) const;
  // The resource with its dynamic references replaced, for its provider only.
  absl::StatusOr<StackResource> Resolved(const StackResource& resource) const;
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
