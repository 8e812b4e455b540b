#include "core/generation/result.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/request.h"
#include "core/json/json.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {
namespace {

std::string WriteSubGoals(const std::string& goal_id,
                          const std::vector<SubGoal>& sub_goals) {
  SubGoalResult result;
  result.set_goal_id(goal_id);
  for (const SubGoal& sub_goal : sub_goals) {
    SubGoalResult::SubGoal& entry = *result.add_sub_goals();
    entry.set_id(sub_goal.id);
    entry.set_position(sub_goal.position);
    entry.set_title(sub_goal.title);
    entry.set_description(sub_goal.description);
  }
  return json::ToJson(result);
}

std::string WriteActions(const std::vector<SubGoalActions>& sub_goals) {
  ActionResult result;
  for (const SubGoalActions& sub_goal : sub_goals) {
    ActionResult::SubGoal& list = *result.add_sub_goals();
    list.set_sub_goal_id(sub_goal.sub_goal_id);
    for (const Action& action : sub_goal.actions) {
      ActionResult::Action& entry = *list.add_actions();
      entry.set_id(action.id);
      entry.set_position(action.position);
      entry.set_title(action.title);
      entry.set_type(std::string(NameOf(action.type)));
    }
  }
  return json::ToJson(result);
}

std::string WriteTasks(const std::vector<ActionTasks>& actions) {
  TaskResult result;
  for (const ActionTasks& action : actions) {
    TaskResult::Action& list = *result.add_actions();
    list.set_action_id(action.action_id);
    for (const Task& task : action.tasks) {
      TaskResult::Task& entry = *list.add_tasks();
      entry.set_title(task.title);
      entry.set_estimated_minutes(
          static_cast<std::int32_t>(absl::ToInt64Minutes(task.estimated_time)));
    }
  }
  return json::ToJson(result);
}

}  // namespace

absl::StatusOr<std::string> ResultJson(GoalStore& goals, ProcessType type,
                                       const Target& target,
                                       absl::Time deadline) {
  switch (type) {
    case ProcessType::kSubGoals: {
      const auto sub_goals = goals.SubGoalsOf(target.id, deadline);
      if (!sub_goals.ok()) return sub_goals.status();
      return WriteSubGoals(target.id, *sub_goals);
    }
    case ProcessType::kActions: {
      const auto actions = goals.ActionsOf(target, deadline);
      if (!actions.ok()) return actions.status();
      return WriteActions(*actions);
    }
    case ProcessType::kTasks:
      break;
  }
  const auto tasks = goals.TasksOf(target, deadline);
  if (!tasks.ok()) return tasks.status();
  return WriteTasks(*tasks);
}

}  // namespace byoshin::generation
