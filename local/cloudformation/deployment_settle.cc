// Finishes what an interrupted deployment has left.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/cloudformation/deployment.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

bool IsGoing(const StackResource& resource) {
  return resource.status == status::kDeleteInProgress;
}

}  // namespace

absl::Status Deployment::CleanUp(ResourceDriver& driver) {
  std::vector<StackResource> left;
  for (const StackResource& resource : InDeletionOrder(stack().obsolete)) {
    if (!IsGoing(resource)) continue;
    const std::string data = resource.deletion_policy == RemovalPolicy::kDelete
                                 ? driver.DataOf(resource)
                                 : "";
    const absl::Status deleted =
        driver.Delete(resource, resource.deletion_policy);
    if (deleted.ok() && !data.empty()) {
      const bool replaced = stack().resources.count(resource.logical_id) != 0;
      AddNote(resource,
              absl::StrCat(
                  resource.state.physical_id, " was deleted with its data (",
                  data, "), because it was ",
                  replaced ? "replaced and its UpdateReplacePolicy"
                           : "removed from the template and its DeletionPolicy",
                  " was not Retain"),
              Note::Validity::kAlways);
    }
    const bool kept =
        resource.deletion_policy == RemovalPolicy::kRetain || !deleted.ok();
    if (kept && driver.IsThere(resource)) left.push_back(resource);
  }
  parts_.stacks.ChangeHead(parts_.context.stack_name, [&](Stack& stack) {
    std::erase_if(stack.obsolete, IsGoing);
    for (const StackResource& resource : left) Retain(resource, stack);
  });
  return parts_.stacks.Commit();
}

absl::Status Deployment::FinishCleanUp(ResourceDriver& driver) {
  const std::vector<StackResource>& obsolete = stack().obsolete;
  if (std::none_of(obsolete.begin(), obsolete.end(), IsGoing)) {
    return absl::OkStatus();
  }
  if (absl::Status begun = Begin(driver); !begun.ok()) return begun;
  return CleanUp(driver);
}

absl::Status Deployment::DiscardUnknown(ResourceDriver& driver) {
  const std::map<std::string, StackResource> begun = stack().begun;
  for (const auto& [id, resource] : begun) {
    if (dependencies_.count(id) != 0 &&
        parts_.t.resources.at(id).type == resource.type) {
      continue;
    }
    absl::Status status = Begin(driver);
    if (status.ok()) status = driver.Discard(resource);
    if (!status.ok()) return Failure(resource, status);
  }
  return absl::OkStatus();
}

absl::Status Deployment::Settle(const StackResource& next,
                                ResourceDriver& driver) {
  absl::Status settled = SettleDeleted(next.logical_id, driver);
  if (settled.ok()) settled = SettleReplaced(next, driver);
  if (settled.ok()) settled = SettleBegun(next, driver);
  return settled;
}

absl::Status Deployment::SettleReplaced(const StackResource& next,
                                        ResourceDriver& driver) {
  const ResourceSchema& schema = parts_.registry.Find(next.type)->schema();
  const auto known = stack().resources.find(next.logical_id);
  if (known == stack().resources.end() ||
      !NeedsReplacement(schema, known->second.properties, next.properties)) {
    return absl::OkStatus();
  }
  const std::vector<StackResource>& obsolete = stack().obsolete;
  const auto found = std::find_if(
      obsolete.begin(), obsolete.end(), [&](const StackResource& resource) {
        return resource.logical_id == next.logical_id &&
               !NeedsReplacement(schema, resource.properties, next.properties);
      });
  if (found == obsolete.end()) return absl::OkStatus();
  StackResource before = *found;
  // Resources that are only in memory were not restored with the stack.
  before.status = status::kUpdateInProgress;
  const StackResource now = known->second;
  if (absl::Status begun = Begin(driver); !begun.ok()) return begun;
  return UndoReplacement(now, before, driver);
}

absl::Status Deployment::SettleBegun(const StackResource& next,
                                     ResourceDriver& driver) {
  const auto found = stack().begun.find(next.logical_id);
  if (found == stack().begun.end()) return absl::OkStatus();
  if (absl::Status status = Begin(driver); !status.ok()) return status;
  const StackResource begun = found->second;
  const ResourceSchema& schema = parts_.registry.Find(next.type)->schema();
  const auto known = stack().resources.find(next.logical_id);
  const bool is_known = known != stack().resources.end();
  const StackResource before = is_known ? known->second : StackResource();
  const bool wanted =
      !NeedsReplacement(schema, begun.properties, next.properties) &&
      (!is_known ||
       NeedsReplacement(schema, before.properties, next.properties));
  if (!wanted) return driver.Discard(begun);
  absl::StatusOr<bool> adopted =
      driver.Adopt(begun, is_known ? &before : nullptr);
  if (!adopted.ok()) return adopted.status();
  if (*adopted) {
    steps_.push_back(
        {.kind = is_known ? Step::Kind::kReplaced : Step::Kind::kCreated,
         .logical_id = next.logical_id,
         .before = before});
  }
  return absl::OkStatus();
}

absl::Status Deployment::SettleDeleted(const std::string& id,
                                       ResourceDriver& driver) {
  const auto found = stack().resources.find(id);
  if (found == stack().resources.end() ||
      found->second.status != status::kDeleteInProgress) {
    return absl::OkStatus();
  }
  const StackResource resource = found->second;
  absl::Status status = Begin(driver);
  if (status.ok()) status = driver.TakeBack(resource);
  if (!status.ok()) return status;
  parts_.stacks.RemoveResource(parts_.context.stack_name, id);
  return parts_.stacks.Commit();
}

}  // namespace byoshin::local::cloudformation
