// Resources that exist before they are part of the stack, or that it has under
// another logical id.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/order.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr absl::string_view kRenameOrMove =
    "Give the resource another name, or deploy to another data folder "
    "(--data=FOLDER).";

}  // namespace

const StackResource* ResourceDriver::FindRetained(const StackResource& resource,
                                                  const ResourceState& found) {
  const Stack* stack = stacks_.Get(context_.stack_name);
  if (stack == nullptr) return nullptr;
  for (const StackResource& left : stack->retained) {
    if (left.type == resource.type && IsSame(left, found)) return &left;
  }
  return nullptr;
}

// Not by its previous id: a queue's id contains the address of the cloud.
bool ResourceDriver::IsSame(const StackResource& resource,
                            const ResourceState& found) {
  const absl::StatusOr<std::optional<ResourceState>> state = Find(resource);
  return state.ok() && state->has_value() &&
         (*state)->physical_id == found.physical_id;
}

std::optional<ResourceDriver::Owner> ResourceDriver::OwnerOf(
    const StackResource& resource, const ResourceState& found) {
  for (const std::string& name : stacks_.Names()) {
    const Stack& stack = *stacks_.Get(name);
    std::vector<Owner> owners;
    for (const auto& [id, part] : stack.resources) {
      owners.push_back({name, part, /*is_listed=*/true});
    }
    for (const StackResource& part : stack.obsolete) {
      owners.push_back({name, part});
    }
    for (const auto& [id, part] : stack.begun) owners.push_back({name, part});
    for (Owner& owner : owners) {
      if (owner.resource.type == resource.type &&
          IsSame(owner.resource, found)) {
        return std::move(owner);
      }
    }
  }
  return std::nullopt;
}

bool ResourceDriver::IsMovable(const Owner& owner,
                               const StackResource& resource,
                               const Dependencies& declared) const {
  return owner.is_listed && owner.stack_name == context_.stack_name &&
         declared.count(owner.resource.logical_id) == 0 &&
         stacks_.Get(context_.stack_name)
                 ->resources.count(resource.logical_id) == 0;
}

std::string ResourceDriver::DescribeOwner(const Owner& owner,
                                          const StackResource& resource,
                                          const Dependencies& declared) const {
  const std::string& id = owner.resource.logical_id;
  if (owner.stack_name != context_.stack_name) {
    return absl::StrCat(" It is the resource ", id, " of the stack ",
                        owner.stack_name, ". ", kRenameOrMove);
  }
  if (id == resource.logical_id) {
    std::vector<std::string> changed;
    for (const std::string& member :
         registry_.Find(resource.type)->schema().create_only) {
      if (owner.resource.properties[member] != resource.properties[member]) {
        changed.push_back(member);
      }
    }
    return absl::StrCat(
        " It is this resource as it is deployed, and cannot be changed in ",
        absl::StrJoin(changed, ", "), ": that requires a new resource. ",
        kRenameOrMove);
  }
  if (declared.count(id) == 0) {
    return absl::StrCat(" It is the resource ", id,
                        " of this stack, which cannot take the place of "
                        "another resource. ",
                        kRenameOrMove);
  }
  return absl::StrCat(" It is the resource ", id,
                      " of the same stack. Give one of the two another name",
                      owner.is_listed ? "." : ", in a deployment of its own.");
}

absl::StatusOr<std::optional<ResourceDriver::Existing>>
ResourceDriver::FindExisting(const StackResource& resource,
                             ExistingResources existing,
                             const Dependencies& declared) {
  absl::StatusOr<ResourceProvider*> provider = ProviderOf(resource);
  if (!provider.ok()) return provider.status();
  StackResource wanted = resource;
  absl::StatusOr<std::optional<ResourceState>> found = Find(wanted);
  if (!found.ok()) return found.status();
  if (!found->has_value() && existing == ExistingResources::kTakeUp) {
    absl::StatusOr<std::optional<std::string>> suffix =
        (*provider)->FindSuffix(RequestFor(wanted));
    if (!suffix.ok()) return suffix.status();
    if (!suffix->has_value()) return std::nullopt;
    wanted.name_suffix = **std::move(suffix);
    found = Find(wanted);
    if (!found.ok()) return found.status();
  }
  if (!found->has_value()) return std::nullopt;
  const auto refuse = [&](absl::string_view more) {
    absl::Status refused = absl::AlreadyExistsError(
        absl::StrCat("Resource of type '", resource.type, "' with identifier '",
                     (*found)->physical_id, "' already exists.", more));
    AddEvent(resource, status::kCreateInProgress, "");
    AddEvent(resource, status::kCreateFailed, refused.message());
    return refused;
  };
  Existing result{.state = **found, .name_suffix = wanted.name_suffix};
  std::string whose = " No stack has it";
  if (const StackResource* retained = FindRetained(wanted, **found)) {
    result.retained = *retained;
    result.properties = retained->properties;
    whose = " An earlier template of this stack has retained it";
  } else if (std::optional<Owner> owner = OwnerOf(wanted, **found)) {
    if (!IsMovable(*owner, wanted, declared)) {
      return refuse(DescribeOwner(*owner, wanted, declared));
    }
    result.properties = owner->resource.properties;
    whose = absl::StrCat(" It is the resource ", owner->resource.logical_id,
                         " of this stack");
    result.moved = std::move(owner->resource);
  } else if (existing == ExistingResources::kRefuse) {
    return refuse(absl::StrCat(" No stack has it. ", kRenameOrMove));
  }
  if (absl::Status fits = (*provider)->CheckTakeUp(RequestFor(wanted));
      !fits.ok()) {
    return refuse(absl::StrCat(
        whose, ", and it cannot become what the template declares: ",
        fits.message(), ". ", kRenameOrMove));
  }
  return result;
}

absl::Status ResourceDriver::TakeUp(StackResource resource,
                                    const StackResource* replaced) {
  if (const StackResource* retained = FindRetained(resource, resource.state)) {
    const std::string id = retained->state.physical_id;
    stacks_.ChangeHead(context_.stack_name, [&](Stack& stack) {
      std::erase_if(stack.retained, [&](const StackResource& left) {
        return left.type == resource.type && left.state.physical_id == id;
      });
    });
  }
  resource.status = status::kCreateInProgress;
  Put(std::move(resource), replaced);
  return stacks_.Commit();
}

absl::Status ResourceDriver::Move(const std::string& from,
                                  StackResource resource) {
  stacks_.RemoveResource(context_.stack_name, from);
  resource.status = status::kUpdateInProgress;
  Put(std::move(resource), nullptr);
  return stacks_.Commit();
}

}  // namespace byoshin::local::cloudformation
