// Resources that exist without being part of the stack, and resources of the
// stack that are missing.

#include <json/json.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/deployment.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

void Retain(const StackResource& resource, Stack& stack) {
  std::erase_if(stack.retained, [&](const StackResource& known) {
    return known.type == resource.type &&
           known.state.physical_id == resource.state.physical_id;
  });
  stack.retained.push_back(resource);
}

void Deployment::AddNote(const StackResource& resource, absl::string_view what,
                         Note::Validity validity) {
  notes_.push_back({.text = absl::StrCat("resource ", resource.logical_id, " (",
                                         resource.type, "): ", what),
                    .validity = validity});
}

absl::Status Deployment::Make(StackResource next, const StackResource* before,
                              ResourceDriver& driver) {
  absl::StatusOr<std::optional<ResourceDriver::Existing>> existing =
      driver.FindExisting(next, parts_.existing, dependencies_);
  if (!existing.ok()) return Failure(next, existing.status());
  if (existing->has_value() && (*existing)->moved.has_value()) {
    return Failure(next, Move(next, **std::move(existing), driver));
  }
  if (existing->has_value()) {
    return Failure(next, TakeUp(next, **std::move(existing), before, driver));
  }
  absl::Status created = driver.Create(next, before);
  if (created.ok()) AddMakingStep(next.logical_id, before);
  return Failure(next, created);
}

absl::Status Deployment::TakeUp(StackResource next,
                                ResourceDriver::Existing existing,
                                const StackResource* before,
                                ResourceDriver& driver) {
  next.name_suffix = existing.name_suffix;
  next.state = std::move(existing.state);
  next.taken_up = true;
  if (existing.retained.has_value()) KeepRetained(*existing.retained, next);
  if (absl::Status taken = driver.TakeUp(next, before); !taken.ok()) {
    return taken;
  }
  AddMakingStep(next.logical_id, before);
  absl::Status updated = driver.Update(next, existing.properties);
  if (!updated.ok()) return updated;
  AddNote(next,
          absl::StrCat(next.state.physical_id,
                       existing.retained.has_value()
                           ? " was left by an earlier template of this stack "
                             "and is part of it again, with its data"
                           : " was there without a stack and is part of this "
                             "one now, with its data"),
          Note::Validity::kUnlessRolledBack);
  return absl::OkStatus();
}

absl::Status Deployment::Move(StackResource next,
                              ResourceDriver::Existing existing,
                              ResourceDriver& driver) {
  const StackResource& moved = *existing.moved;
  next.name_suffix = existing.name_suffix;
  next.state = std::move(existing.state);
  // From now on, it is treated like an adopted resource: it stays protected if
  // the template does not state a policy.
  next.taken_up =
      moved.taken_up || moved.deletion_policy == RemovalPolicy::kRetain;
  if (next.taken_up) KeepRetained(moved, next);
  if (absl::Status kept = driver.Move(moved.logical_id, next); !kept.ok()) {
    return kept;
  }
  steps_.push_back({.kind = Step::Kind::kMoved,
                    .logical_id = next.logical_id,
                    .before = moved,
                    .attempted = next.properties});
  absl::Status updated = driver.Update(next, existing.properties);
  if (!updated.ok()) return updated;
  AddNote(next,
          absl::StrCat(next.state.physical_id, " was the resource ",
                       moved.logical_id,
                       " of this stack and has moved, with its data"),
          Note::Validity::kUnlessRolledBack);
  return absl::OkStatus();
}

void Deployment::KeepRetained(const StackResource& before,
                              StackResource& next) const {
  const TemplateResource& source = parts_.t.resources.at(next.logical_id);
  if (!source.deletion_policy.has_value()) {
    next.deletion_policy = before.deletion_policy;
  }
  if (!source.update_replace_policy.has_value()) {
    next.update_replace_policy = before.update_replace_policy;
  }
}

absl::Status Deployment::Recreate(StackResource next,
                                  const StackResource& before,
                                  ResourceDriver& driver) {
  next.name_suffix = before.name_suffix;
  absl::Status created = driver.Recreate(next);
  if (!created.ok()) return Failure(next, created);
  StackResource whole = before;
  whole.status = status::kUpdateComplete;
  steps_.push_back({.kind = Step::Kind::kUpdated,
                    .logical_id = next.logical_id,
                    .before = std::move(whole),
                    .attempted = next.properties});
  recreated_.insert(next.logical_id);
  AddNote(next,
          absl::StrCat(stack().resources.at(next.logical_id).state.physical_id,
                       " was missing and has been created again, empty"),
          Note::Validity::kAlways);
  return absl::OkStatus();
}

bool Deployment::DependsOnRecreated(const StackResource& resource) const {
  return std::any_of(
      resource.depends_on.begin(), resource.depends_on.end(),
      [this](const std::string& id) { return recreated_.count(id) != 0; });
}

absl::Status Deployment::Release(const StackResource& taken_up) {
  const std::string& name = parts_.context.stack_name;
  parts_.stacks.ChangeHead(name,
                           [&](Stack& stack) { Retain(taken_up, stack); });
  parts_.stacks.RemoveResource(name, taken_up.logical_id);
  return parts_.stacks.Commit();
}

}  // namespace byoshin::local::cloudformation
