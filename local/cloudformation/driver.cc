#include "local/cloudformation/driver.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/dynamic_reference.h"
#include "local/cloudformation/order.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"

namespace byoshin::local::cloudformation {

ResourceRequest ResourceDriver::RequestFor(
    const StackResource& resource) const {
  return {.stack = context_,
          .logical_id = resource.logical_id,
          .physical_id = resource.state.physical_id,
          .name_suffix = resource.name_suffix,
          .properties = resource.properties,
          .type = resource.type};
}

absl::StatusOr<StackResource> ResourceDriver::Resolved(
    const StackResource& resource) const {
  absl::StatusOr<Json::Value> properties =
      ResolveReferences(resource.properties, registry_, context_);
  if (!properties.ok()) return properties.status();
  StackResource resolved = resource;
  resolved.properties = *std::move(properties);
  return resolved;
}

absl::StatusOr<ResourceProvider*> ResourceDriver::ProviderOf(
    const StackResource& resource) const {
  if (ResourceProvider* provider = registry_.Find(resource.type)) {
    return provider;
  }
  return absl::UnimplementedError(absl::StrCat(
      "the local cloud does not support resources of type ", resource.type));
}

void ResourceDriver::AddEvent(const StackResource& resource,
                              absl::string_view status,
                              absl::string_view reason) {
  stacks_.AddEvent(context_.stack_name,
                   {.logical_id = resource.logical_id,
                    .physical_id = resource.state.physical_id,
                    .type = resource.type,
                    .status = std::string(status),
                    .reason = std::string(reason)});
}

void ResourceDriver::AddStackEvent(absl::string_view status,
                                   absl::string_view reason) {
  stacks_.AddEvent(context_.stack_name, {.logical_id = context_.stack_name,
                                         .physical_id = context_.stack_id,
                                         .type = "AWS::CloudFormation::Stack",
                                         .status = std::string(status),
                                         .reason = std::string(reason)});
}

absl::StatusOr<std::string> ResourceDriver::Fingerprint(
    const StackResource& resource) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  return (*provider)->Fingerprint(RequestFor(resource));
}

absl::StatusOr<std::optional<ResourceState>> ResourceDriver::Find(
    const StackResource& resource) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  return (*provider)->Find(RequestFor(resource));
}

void ResourceDriver::Put(StackResource resource,
                         const StackResource* replaced) {
  if (replaced != nullptr) {
    stacks_.ChangeHead(context_.stack_name, [replaced](Stack& stack) {
      stack.obsolete.push_back(*replaced);
      // From now on, this record determines what happens to it.
      stack.obsolete.back().deletion_policy = replaced->update_replace_policy;
    });
  }
  stacks_.RemoveBegun(context_.stack_name, resource.logical_id);
  stacks_.PutResource(context_.stack_name, std::move(resource));
}

absl::Status ResourceDriver::Create(StackResource resource,
                                    const StackResource* replaced) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  AddEvent(resource, status::kCreateInProgress,
           replaced != nullptr ? "Requested update requires the creation of a "
                                 "new physical resource; hence creating one."
                               : "");
  const auto create = [&]() -> absl::StatusOr<ResourceState> {
    // Services have their own stores. If the process ends between their commit
    // and the next one here, this tells the next deployment what may exist.
    stacks_.PutBegun(context_.stack_name, resource);
    if (absl::Status kept = stacks_.Commit(); !kept.ok()) return kept;
    const absl::StatusOr<StackResource> resolved = Resolved(resource);
    if (!resolved.ok()) return resolved.status();
    return (*provider)->Create(RequestFor(*resolved));
  };
  absl::StatusOr<ResourceState> state = create();
  if (!state.ok()) {
    stacks_.RemoveBegun(context_.stack_name, resource.logical_id);
    AddEvent(resource, status::kCreateFailed, state.status().message());
    return state.status();
  }
  resource.state = *std::move(state);
  resource.status = status::kCreateComplete;
  AddEvent(resource, status::kCreateComplete, "");
  Put(std::move(resource), replaced);
  return absl::OkStatus();
}

bool ResourceDriver::IsThere(const StackResource& resource) {
  const absl::StatusOr<std::optional<ResourceState>> found = Find(resource);
  return found.ok() && found->has_value();
}

absl::StatusOr<bool> ResourceDriver::IsMissing(const StackResource& resource) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  return (*provider)->IsMissing(RequestFor(resource));
}

// There is no need to record the start: until this is committed, the stack's
// mark makes the next deployment check whether it exists.
absl::Status ResourceDriver::Recreate(StackResource resource) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  resource.state = {};
  AddEvent(resource, status::kCreateInProgress, "It was missing.");
  const absl::StatusOr<StackResource> resolved = Resolved(resource);
  absl::StatusOr<ResourceState> state =
      resolved.ok() ? (*provider)->Create(RequestFor(*resolved))
                    : resolved.status();
  if (!state.ok()) {
    AddEvent(resource, status::kCreateFailed, state.status().message());
    return state.status();
  }
  resource.state = *std::move(state);
  resource.status = status::kCreateComplete;
  AddEvent(resource, status::kCreateComplete, "");
  return Record(std::move(resource));
}

absl::StatusOr<bool> ResourceDriver::Adopt(StackResource begun,
                                           const StackResource* replaced) {
  absl::StatusOr<std::optional<ResourceState>> found = Find(begun);
  if (!found.ok()) return found.status();
  if (!found->has_value()) {
    stacks_.RemoveBegun(context_.stack_name, begun.logical_id);
    return false;
  }
  begun.state = **std::move(found);
  begun.status = status::kCreateInProgress;
  Put(std::move(begun), replaced);
  return true;
}

absl::Status ResourceDriver::Discard(StackResource begun) {
  absl::StatusOr<std::optional<ResourceState>> found = Find(begun);
  if (!found.ok()) return found.status();
  if (found->has_value()) {
    begun.state = **std::move(found);
    // It holds no data yet, so it is deleted regardless of its policy.
    absl::Status deleted = TakeBack(begun);
    if (!deleted.ok()) return deleted;
  }
  stacks_.RemoveBegun(context_.stack_name, begun.logical_id);
  return stacks_.Commit();
}

absl::Status ResourceDriver::Update(StackResource resource,
                                    const Json::Value& previous) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  AddEvent(resource, status::kUpdateInProgress, "");
  // If the process ends now, the progress of the update is unknown: the mark
  // makes the next deployment repeat it.
  if (const Stack* stack = stacks_.Get(context_.stack_name)) {
    if (const auto known = stack->resources.find(resource.logical_id);
        known != stack->resources.end()) {
      StackResource marked = known->second;
      marked.status = status::kUpdateInProgress;
      stacks_.PutResource(context_.stack_name, std::move(marked));
      if (absl::Status kept = stacks_.Commit(); !kept.ok()) return kept;
    }
  }
  const absl::StatusOr<StackResource> resolved = Resolved(resource);
  // A secret of before may be gone.
  const Json::Value resolved_previous =
      ResolveReferences(previous, registry_, context_).value_or(previous);
  absl::StatusOr<ResourceState> state =
      resolved.ok()
          ? (*provider)->Update(RequestFor(*resolved), resolved_previous)
          : resolved.status();
  if (!state.ok()) {
    AddEvent(resource, status::kUpdateFailed, state.status().message());
    return state.status();
  }
  if ((*provider)->schema().replaced_by_update) {
    HandleReplaced(resource, previous, state->physical_id);
  }
  resource.state = *std::move(state);
  resource.status = status::kUpdateComplete;
  AddEvent(resource, status::kUpdateComplete, "");
  stacks_.PutResource(context_.stack_name, std::move(resource));
  return stacks_.Commit();
}

void ResourceDriver::HandleReplaced(const StackResource& resource,
                                    const Json::Value& previous,
                                    const std::string& new_id) {
  if (new_id == resource.state.physical_id) return;
  StackResource replaced = resource;
  replaced.properties = previous;
  replaced.deletion_policy = resource.update_replace_policy;
  stacks_.ChangeHead(context_.stack_name, [&](Stack& stack) {
    // The rollback of a replacement returns to what was replaced.
    std::erase_if(stack.obsolete, [&](const StackResource& obsolete) {
      return obsolete.logical_id == resource.logical_id &&
             obsolete.state.physical_id == new_id;
    });
    stack.obsolete.push_back(std::move(replaced));
  });
}

absl::Status ResourceDriver::Record(StackResource resource) {
  stacks_.PutResource(context_.stack_name, std::move(resource));
  return stacks_.Commit();
}

absl::Status ResourceDriver::MarkDeleted(StackResource resource) {
  resource.status = status::kDeleteInProgress;
  resource.deletion_policy = RemovalPolicy::kDelete;
  return Record(std::move(resource));
}

absl::Status ResourceDriver::Delete(const StackResource& resource,
                                    RemovalPolicy policy) {
  if (policy == RemovalPolicy::kRetain) {
    AddEvent(resource, status::kDeleteSkipped, "");
    return absl::OkStatus();
  }
  return DeleteBy(resource, &ResourceProvider::Delete);
}

absl::Status ResourceDriver::TakeBack(const StackResource& resource) {
  return DeleteBy(resource, &ResourceProvider::DeleteNew);
}

absl::Status ResourceDriver::DeleteBy(
    const StackResource& resource,
    absl::Status (ResourceProvider::*remove)(const ResourceRequest&)) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  AddEvent(resource, status::kDeleteInProgress, "");
  absl::Status deleted = ((*provider)->*remove)(RequestFor(resource));
  AddEvent(resource,
           deleted.ok() ? status::kDeleteComplete : status::kDeleteFailed,
           deleted.message());
  return deleted;
}

std::string ResourceDriver::DataOf(const StackResource& resource) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return "";
  return (*provider)->DescribeData(RequestFor(resource)).value_or("");
}

absl::Status ResourceDriver::Restore(const StackResource& resource) {
  // It may be partly or completely deleted; the next deployment deletes the
  // rest.
  if (resource.status == status::kDeleteInProgress) return absl::OkStatus();
  const absl::StatusOr<bool> missing = IsMissing(resource);
  if (missing.ok() && *missing) {
    MarkFailed(resource, "It is missing.");
    return absl::OkStatus();
  }
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  const absl::StatusOr<StackResource> resolved = Resolved(resource);
  absl::Status restored = provider.ok() ? resolved.status() : provider.status();
  if (restored.ok()) {
    restored = (*provider)->Restore(RequestFor(*resolved), resource.state);
  }
  if (!restored.ok()) MarkFailed(resource, restored.message());
  return restored;
}

void ResourceDriver::MarkFailed(StackResource resource,
                                absl::string_view reason) {
  AddEvent(resource, status::kUpdateFailed, reason);
  resource.status = status::kUpdateFailed;
  // If the mark can't be stored, it is valid as long as the process runs.
  Record(std::move(resource)).IgnoreError();
}

std::vector<StackResource> InDeletionOrder(
    std::vector<StackResource> resources) {
  Dependencies dependencies;
  for (const StackResource& resource : resources) {
    dependencies[resource.logical_id].insert(resource.depends_on.begin(),
                                             resource.depends_on.end());
  }
  absl::StatusOr<std::vector<std::string>> order = InOrder(dependencies);
  // Two generations of resources can form a cycle that neither has alone; then
  // any order will do.
  if (!order.ok()) return resources;
  std::map<std::string, std::size_t> position;
  for (std::size_t i = 0; i < order->size(); ++i) position[(*order)[i]] = i;
  std::stable_sort(resources.begin(), resources.end(),
                   [&position](const StackResource& a, const StackResource& b) {
                     return position[a.logical_id] > position[b.logical_id];
                   });
  return resources;
}

}  // namespace byoshin::local::cloudformation
