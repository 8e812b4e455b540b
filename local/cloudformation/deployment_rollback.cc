// Rolls back a failed deployment.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/deployment.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/stack_store.h"
#include "local/cloudformation/template.h"
#include "local/cloudformation/undo_failures.h"

namespace byoshin::local::cloudformation {
namespace {

void RemoveObsolete(const StackResource& gone, Stack& stack) {
  std::erase_if(stack.obsolete, [&gone](const StackResource& resource) {
    return resource.state.physical_id == gone.state.physical_id &&
           resource.logical_id == gone.logical_id;
  });
}

}  // namespace

std::string Deployment::RollBack(ResourceDriver& driver,
                                 absl::string_view reason) {
  SetStatus(
      update_ ? status::kUpdateRollbackInProgress : status::kRollbackInProgress,
      reason, driver);
  std::erase_if(notes_, [](const Note& note) {
    return note.validity == Note::Validity::kUnlessRolledBack;
  });
  UndoFailures left;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    absl::Status undone = Undo(*step, driver);
    if (!undone.ok()) left.Add(step->logical_id, undone.message());
  }
  if (!update_) {
    // The remains of an earlier attempt that a crash ended.
    std::vector<StackResource> earlier;
    for (const auto& [id, resource] : stack().resources) {
      if (resource.status != status::kDeleteFailed) earlier.push_back(resource);
    }
    for (const StackResource& resource : InDeletionOrder(earlier)) {
      absl::Status undone = Undo(
          {.kind = Step::Kind::kCreated, .logical_id = resource.logical_id},
          driver);
      if (!undone.ok()) left.Add(resource.logical_id, undone.message());
    }
  }
  const std::map<std::string, StackResource> begun = stack().begun;
  for (const auto& [id, resource] : begun) {
    absl::Status discarded = driver.Discard(resource);
    if (!discarded.ok()) left.Add(id, discarded.message());
  }
  if (left.empty()) {
    SetStatus(
        update_ ? status::kUpdateRollbackComplete : status::kRollbackComplete,
        reason, driver);
  } else {
    SetStatus(update_ ? status::kUpdateRollbackFailed : status::kRollbackFailed,
              left.ToString(reason), driver);
  }
  if (absl::Status kept = parts_.stacks.Commit(); !kept.ok()) {
    left.Add("", kept.message());
  }
  return left.ToString(reason);
}

absl::Status Deployment::Undo(const Step& step, ResourceDriver& driver) {
  const std::string& name = parts_.context.stack_name;
  const StackResource now = stack().resources.at(step.logical_id);
  switch (step.kind) {
    case Step::Kind::kRecorded:
      return driver.Record(step.before);
    case Step::Kind::kUpdated: {
      StackResource back = step.before;
      back.state = now.state;
      absl::Status updated = driver.Update(back, step.attempted);
      if (!updated.ok()) return updated;
      StackResource restored = stack().resources.at(step.logical_id);
      restored.status = step.before.status;
      absl::Status recorded = driver.Record(std::move(restored));
      return recorded.ok() ? DeleteReplaced(step.logical_id, driver) : recorded;
    }
    case Step::Kind::kMoved:
      return UndoMove(step, driver);
    case Step::Kind::kReplaced:
      return UndoReplacement(now, step.before, driver);
    case Step::Kind::kCreated:
      break;
  }
  if (now.taken_up) return Release(now);
  // What this deployment has created holds no data yet, so it is deleted
  // regardless of its policy.
  if (absl::Status kept = driver.MarkDeleted(now); !kept.ok()) return kept;
  if (absl::Status deleted = driver.TakeBack(now); !deleted.ok()) {
    StackResource failed = now;
    failed.status = status::kDeleteFailed;
    driver.Record(std::move(failed)).IgnoreError();
    return deleted;
  }
  parts_.stacks.RemoveResource(name, step.logical_id);
  return parts_.stacks.Commit();
}

absl::Status Deployment::DeleteReplaced(const std::string& id,
                                        ResourceDriver& driver) {
  bool any = false;
  parts_.stacks.ChangeHead(parts_.context.stack_name, [&](Stack& stack) {
    for (StackResource& obsolete : stack.obsolete) {
      if (obsolete.logical_id != id) continue;
      obsolete.status = status::kDeleteInProgress;
      any = true;
    }
  });
  return any ? CleanUp(driver) : absl::OkStatus();
}

absl::Status Deployment::UndoMove(const Step& step, ResourceDriver& driver) {
  StackResource back = step.before;
  back.state = stack().resources.at(step.logical_id).state;
  if (absl::Status kept = driver.Move(step.logical_id, back); !kept.ok()) {
    return kept;
  }
  absl::Status updated = driver.Update(back, step.attempted);
  if (!updated.ok()) return updated;
  StackResource restored = stack().resources.at(back.logical_id);
  restored.status = step.before.status;
  return driver.Record(std::move(restored));
}

absl::Status Deployment::UndoReplacement(const StackResource& now,
                                         const StackResource& before,
                                         ResourceDriver& driver) {
  // They are exchanged first: if the process ends meanwhile, the one with the
  // data belongs to the stack, and the next deployment deletes the other.
  const std::string& name = parts_.context.stack_name;
  if (now.taken_up) {
    parts_.stacks.ChangeHead(name, [&](Stack& stack) {
      RemoveObsolete(before, stack);
      Retain(now, stack);
    });
    return driver.Record(before);
  }
  parts_.stacks.ChangeHead(name, [&](Stack& stack) {
    RemoveObsolete(before, stack);
    stack.obsolete.push_back(now);
    stack.obsolete.back().status = status::kDeleteInProgress;
    stack.obsolete.back().deletion_policy = RemovalPolicy::kDelete;
  });
  if (absl::Status kept = driver.Record(before); !kept.ok()) return kept;
  absl::Status deleted = driver.TakeBack(now);
  if (!deleted.ok()) return deleted;
  parts_.stacks.ChangeHead(name,
                           [&](Stack& stack) { RemoveObsolete(now, stack); });
  return parts_.stacks.Commit();
}

}  // namespace byoshin::local::cloudformation
