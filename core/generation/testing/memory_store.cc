#include "core/generation/testing/memory_store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"

namespace byoshin::generation::testing {
namespace {

// Replaces the parts of `parent_id`.
template <typename Part, typename T>
void ReplaceParts(std::vector<Part>& parts, absl::string_view parent_id,
                  absl::string_view generated_by,
                  const std::vector<T>& values) {
  std::erase_if(parts,
                [&](const Part& part) { return part.parent_id == parent_id; });
  for (const T& value : values) {
    parts.push_back({.value = value,
                     .parent_id = std::string(parent_id),
                     .generated_by = std::string(generated_by)});
  }
}

template <typename Part>
bool HasPartsBy(const std::vector<Part>& parts, absl::string_view parent_id,
                absl::string_view generated_by) {
  return std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
    return part.parent_id == parent_id && part.generated_by == generated_by;
  });
}

Process SummaryOf(Process process) {
  process.params.clear();
  process.result.clear();
  return process;
}

}  // namespace

MemoryStore::Plan MemoryStore::NextPlan() {
  if (script_.empty()) return {};
  Plan plan = std::move(script_.front());
  script_.pop_front();
  return plan;
}

Process* MemoryStore::FindActive(absl::string_view process_id) {
  const auto found = processes_.find(std::string(process_id));
  if (found == processes_.end() || IsFinal(found->second.status)) {
    return nullptr;
  }
  return &found->second;
}

absl::StatusOr<bool> MemoryStore::Admit(absl::string_view user_id,
                                        absl::Time now, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  std::vector<absl::Time>& times = requests_[std::string(user_id)];
  std::erase_if(times,
                [&](absl::Time time) { return time <= now - kRateWindow; });
  const bool admitted = times.size() < std::size_t{kRateLimit};
  if (admitted) times.push_back(now);
  if (!plan.status.ok()) return plan.status;
  return admitted;
}

absl::Status MemoryStore::Insert(const Process& process, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  processes_.insert({process.id, process});
  return plan.status;
}

absl::StatusOr<std::optional<Process>> MemoryStore::InsertRetry(
    const NewRetry& retry, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  const auto source = processes_.find(retry.source_id);
  if (source == processes_.end() || source->second.user_id != retry.user_id ||
      !CanRetry(source->second.status)) {
    return std::nullopt;
  }
  int highest = 0;
  for (const auto& [id, process] : processes_) {
    if (process.origin_id == source->second.origin_id) {
      highest = std::max(highest, process.retry_count);
    }
  }
  if (highest >= kMaxRetries) return std::nullopt;
  Process process{.id = retry.id,
                  .origin_id = source->second.origin_id,
                  .user_id = retry.user_id,
                  .type = source->second.type,
                  .target_id = source->second.target_id,
                  .params = source->second.params,
                  .retry_count = highest + 1,
                  .created_at = retry.now,
                  .updated_at = retry.now,
                  .execution_arn = retry.execution_arn};
  processes_[process.id] = process;
  if (!plan.status.ok()) return plan.status;
  return process;
}

absl::StatusOr<std::optional<Process>> MemoryStore::Find(
    absl::string_view process_id, absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  const auto found = processes_.find(std::string(process_id));
  if (found == processes_.end()) return std::nullopt;
  return found->second;
}

absl::StatusOr<std::optional<Process>> MemoryStore::Move(
    const Transition& transition, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  Process* const process = FindActive(transition.process_id);
  if (process == nullptr || !CanMove(process->status, transition.to) ||
      process->user_id != transition.user_id.value_or(process->user_id)) {
    if (!plan.status.ok()) return plan.status;
    return std::nullopt;
  }
  process->status = transition.to;
  process->updated_at = transition.now;
  if (transition.error.has_value()) process->error = transition.error;
  if (IsFinal(transition.to)) process->completed_at = transition.now;
  if (transition.to == ProcessStatus::kCompleted) {
    process->progress = kCompleteProgress;
  }
  if (!plan.status.ok()) return plan.status;
  return *process;
}

absl::StatusOr<bool> MemoryStore::Advance(absl::string_view process_id,
                                          int progress, absl::Time now,
                                          absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  const bool active = Raise({.process_id = std::string(process_id),
                             .progress = progress,
                             .now = now});
  if (!plan.status.ok()) return plan.status;
  return active;
}

bool MemoryStore::Raise(const Saving& saving) {
  Process* const process = FindActive(saving.process_id);
  if (process == nullptr) return false;
  process->progress = std::max(process->progress, saving.progress);
  process->updated_at = saving.now;
  return true;
}

absl::StatusOr<bool> MemoryStore::SaveResult(absl::string_view process_id,
                                             absl::string_view result,
                                             absl::Time now, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  Process* const process = FindActive(process_id);
  if (process != nullptr) {
    process->result = std::string(result);
    process->updated_at = now;
  }
  if (!plan.status.ok()) return plan.status;
  return process != nullptr;
}

absl::StatusOr<HistoryPage> MemoryStore::List(absl::string_view user_id,
                                              const HistoryQuery& query,
                                              absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::vector<Process> all;
  for (const auto& [id, process] : processes_) {
    if (process.user_id != user_id ||
        process.type != query.type.value_or(process.type) ||
        process.status != query.status.value_or(process.status) ||
        process.created_at < query.start.value_or(absl::InfinitePast()) ||
        process.created_at >= query.end.value_or(absl::InfiniteFuture())) {
      continue;
    }
    all.push_back(SummaryOf(process));
  }
  std::sort(all.begin(), all.end(), [](const Process& a, const Process& b) {
    return std::pair(a.created_at, a.id) > std::pair(b.created_at, b.id);
  });
  HistoryPage page{.total = static_cast<std::int64_t>(all.size())};
  const std::int64_t first = std::int64_t{query.page - 1} * query.page_size;
  for (std::int64_t i = first;
       i < std::min(page.total, first + query.page_size); ++i) {
    page.processes.push_back(all[static_cast<std::size_t>(i)]);
  }
  return page;
}

absl::StatusOr<std::int64_t> MemoryStore::CountPending(absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  return std::count_if(processes_.begin(), processes_.end(), [](auto& entry) {
    return entry.second.status == ProcessStatus::kPending;
  });
}

absl::StatusOr<std::vector<Process>> MemoryStore::ListPending(absl::Time before,
                                                              int limit,
                                                              absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::vector<Process> pending;
  for (const auto& [id, process] : processes_) {
    if (process.status != ProcessStatus::kPending) continue;
    if (process.created_at < before) pending.push_back(SummaryOf(process));
  }
  std::sort(
      pending.begin(), pending.end(), [](const Process& a, const Process& b) {
        return std::pair(a.created_at, a.id) < std::pair(b.created_at, b.id);
      });
  if (pending.size() > static_cast<std::size_t>(limit)) pending.resize(limit);
  return pending;
}

absl::StatusOr<std::int64_t> MemoryStore::RemoveCreatedBefore(absl::Time before,
                                                              absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  return static_cast<std::int64_t>(std::erase_if(processes_, [&](auto& entry) {
    return entry.second.created_at < before;
  }));
}

absl::StatusOr<std::int64_t> MemoryStore::CloseCreatedBefore(
    absl::Time before, const ProcessError& error, absl::Time now, absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::int64_t closed = 0;
  for (auto& [id, process] : processes_) {
    if (IsFinal(process.status) || process.created_at >= before) continue;
    process.status = ProcessStatus::kTimeout;
    process.error = error;
    process.updated_at = now;
    process.completed_at = now;
    ++closed;
  }
  return closed;
}

absl::StatusOr<std::optional<Goal>> MemoryStore::GoalOf(const Target& target,
                                                        absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::string goal_id = target.id;
  if (target.kind == TargetKind::kAction) {
    const auto actions = ActionParts(target);
    if (actions.empty()) return std::nullopt;
    goal_id = actions[0].parent_id;
  }
  if (target.kind != TargetKind::kGoal) {
    const auto found = SubGoalParts({TargetKind::kSubGoal, goal_id});
    if (found.empty()) return std::nullopt;
    goal_id = found[0].parent_id;
  }
  const auto goal = goals_.find(goal_id);
  if (goal == goals_.end()) return std::nullopt;
  return goal->second;
}

std::vector<MemoryStore::Part<SubGoal>> MemoryStore::SubGoalParts(
    const Target& target) const {
  std::vector<Part<SubGoal>> found;
  std::copy_if(sub_goals_.begin(), sub_goals_.end(), std::back_inserter(found),
               [&](const Part<SubGoal>& part) {
                 return (target.kind == TargetKind::kGoal
                             ? part.parent_id
                             : part.value.id) == target.id;
               });
  return found;
}

std::vector<MemoryStore::Part<Action>> MemoryStore::ActionParts(
    const Target& target) const {
  std::vector<Part<Action>> found;
  if (target.kind == TargetKind::kAction) {
    std::copy_if(
        actions_.begin(), actions_.end(), std::back_inserter(found),
        [&](const Part<Action>& part) { return part.value.id == target.id; });
    return found;
  }
  for (const Part<SubGoal>& sub_goal : SubGoalParts(target)) {
    std::copy_if(actions_.begin(), actions_.end(), std::back_inserter(found),
                 [&](const Part<Action>& part) {
                   return part.parent_id == sub_goal.value.id;
                 });
  }
  return found;
}

absl::StatusOr<std::vector<WorkItem>> MemoryStore::Items(
    ProcessType type, const Target& target, absl::string_view origin_id,
    absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::vector<WorkItem> items;
  if (type == ProcessType::kSubGoals) {
    items.push_back({.id = target.id,
                     .done = HasPartsBy(sub_goals_, target.id, origin_id)});
  } else if (type == ProcessType::kActions) {
    for (const Part<SubGoal>& part : SubGoalParts(target)) {
      items.push_back({.id = part.value.id,
                       .title = part.value.title,
                       .description = part.value.description,
                       .done = HasPartsBy(actions_, part.value.id, origin_id)});
    }
  } else {
    for (const Part<Action>& part : ActionParts(target)) {
      const auto sub_goal =
          SubGoalParts({TargetKind::kSubGoal, part.parent_id});
      items.push_back({.id = part.value.id,
                       .title = part.value.title,
                       .description = part.value.description,
                       .sub_goal_title = sub_goal.at(0).value.title,
                       .done = HasPartsBy(tasks_, part.value.id, origin_id)});
    }
  }
  return items;
}

absl::StatusOr<bool> MemoryStore::SaveSubGoals(
    const Saving& saving, const Goal& goal,
    const std::vector<SubGoal>& sub_goals, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  if (FindActive(saving.process_id) == nullptr) return false;
  const auto known = goals_.find(goal.id);
  if (known != goals_.end() && known->second.user_id != goal.user_id) {
    return absl::PermissionDeniedError("the goal is another user's");
  }
  Raise(saving);
  goals_[goal.id] = goal;
  for (const Part<Action>& action : ActionParts({TargetKind::kGoal, goal.id})) {
    ReplaceParts(tasks_, action.value.id, "", std::vector<Task>());
  }
  for (const Part<SubGoal>& part : SubGoalParts({TargetKind::kGoal, goal.id})) {
    ReplaceParts(actions_, part.value.id, "", std::vector<Action>());
  }
  ReplaceParts(sub_goals_, goal.id, saving.origin_id, sub_goals);
  ++saves_;
  if (!plan.status.ok()) return plan.status;
  return true;
}

absl::StatusOr<bool> MemoryStore::SaveActions(
    const Saving& saving, absl::string_view sub_goal_id,
    const std::vector<Action>& actions, absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  if (FindActive(saving.process_id) == nullptr) return false;
  const Target target{TargetKind::kSubGoal, std::string(sub_goal_id)};
  if (SubGoalParts(target).empty()) {
    return absl::NotFoundError("the sub-goal no longer exists");
  }
  Raise(saving);
  for (const Part<Action>& action : ActionParts(target)) {
    ReplaceParts(tasks_, action.value.id, "", std::vector<Task>());
  }
  ReplaceParts(actions_, sub_goal_id, saving.origin_id, actions);
  ++saves_;
  if (!plan.status.ok()) return plan.status;
  return true;
}

absl::StatusOr<bool> MemoryStore::SaveTasks(const Saving& saving,
                                            absl::string_view action_id,
                                            const std::vector<Task>& tasks,
                                            absl::Time) {
  const Plan plan = NextPlan();
  if (plan.effect == Effect::kNone) return plan.status;
  if (FindActive(saving.process_id) == nullptr) return false;
  if (ActionParts({TargetKind::kAction, std::string(action_id)}).empty()) {
    return absl::NotFoundError("the action no longer exists");
  }
  Raise(saving);
  ReplaceParts(tasks_, action_id, saving.origin_id, tasks);
  ++saves_;
  if (!plan.status.ok()) return plan.status;
  return true;
}

absl::StatusOr<std::vector<SubGoal>> MemoryStore::SubGoalsOf(
    absl::string_view goal_id, absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::vector<SubGoal> found;
  for (const auto& part :
       SubGoalParts({TargetKind::kGoal, std::string(goal_id)})) {
    found.push_back(part.value);
  }
  return found;
}

absl::StatusOr<std::vector<SubGoalActions>> MemoryStore::ActionsOf(
    const Target& target, absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::vector<SubGoalActions> found;
  for (const Part<Action>& part : ActionParts(target)) {
    if (found.empty() || found.back().sub_goal_id != part.parent_id) {
      found.push_back({.sub_goal_id = part.parent_id});
    }
    found.back().actions.push_back(part.value);
  }
  return found;
}

absl::StatusOr<std::vector<ActionTasks>> MemoryStore::TasksOf(
    const Target& target, absl::Time) {
  if (const Plan plan = NextPlan(); !plan.status.ok()) return plan.status;
  std::vector<ActionTasks> found;
  for (const Part<Action>& action : ActionParts(target)) {
    for (const Part<Task>& task : tasks_) {
      if (task.parent_id != action.value.id) continue;
      if (found.empty() || found.back().action_id != action.value.id) {
        found.push_back({.action_id = action.value.id});
      }
      found.back().tasks.push_back(task.value);
    }
  }
  return found;
}

}  // namespace byoshin::generation::testing
