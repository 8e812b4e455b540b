// Where goals and what was generated for them are kept. SqlGoalStore
// (sql_goal_store.h) keeps them in PostgreSQL; testing/memory_store.h in
// memory.
#ifndef BYOSHIN_CORE_GENERATION_GOAL_STORE_H_
#define BYOSHIN_CORE_GENERATION_GOAL_STORE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/process.h"
#include "core/generation/request.h"

namespace byoshin::generation {

struct Goal {
  std::string id{};
  std::string user_id{};
  std::string title{};
  std::string description{};
  std::string deadline{};
  std::string background{};
  std::string constraints{};

  friend bool operator==(const Goal&, const Goal&) = default;
};

struct SubGoal {
  std::string id{};
  int position = 0;  // from 1
  std::string title{};
  std::string description{};

  friend bool operator==(const SubGoal&, const SubGoal&) = default;
};

enum class ActionType { kExecution, kHabit };
inline constexpr char kExecutionAction[] = "EXECUTION";
inline constexpr char kHabitAction[] = "HABIT";

struct Action {
  std::string id{};
  int position = 0;  // from 1
  std::string title{};
  std::string description{};
  ActionType type = ActionType::kExecution;

  friend bool operator==(const Action&, const Action&) = default;
};

struct Task {
  std::string id{};
  int position = 0;  // from 1
  std::string title{};
  std::string description{};
  absl::Duration estimated_time{};

  friend bool operator==(const Task&, const Task&) = default;
};

struct SubGoalActions {
  std::string sub_goal_id{};
  std::vector<Action> actions{};
};

struct ActionTasks {
  std::string action_id{};
  std::vector<Task> tasks{};
};

// What the model is asked about once: a goal, a sub-goal or an action.
struct WorkItem {
  std::string id{};
  std::string title{};
  std::string description{};
  // The sub-goal of an action.
  std::string sub_goal_title{};
  // Whether the series of retries has saved its parts already.
  bool done = false;
};

// On whose behalf parts are saved.
struct Saving {
  std::string process_id{};
  // The series of retries, which `done` above refers to.
  std::string origin_id{};
  // The process's progress afterwards.
  int progress = 0;
  absl::Time now{};
};

// Not thread-safe. Every call ends by its deadline. Errors are those of the
// database; IsTransient() of api_error.h tells whether they may go away.
class GoalStore {
 public:
  GoalStore() = default;
  GoalStore(const GoalStore&) = delete;
  GoalStore& operator=(const GoalStore&) = delete;
  virtual ~GoalStore() = default;

  // The goal that the target is, or is part of.
  virtual absl::StatusOr<std::optional<Goal>> GoalOf(const Target& target,
                                                     absl::Time deadline) = 0;

  // What a process of the type has to work through, in order: the goal itself,
  // sub-goals, or actions.
  virtual absl::StatusOr<std::vector<WorkItem>> Items(
      ProcessType type, const Target& target, absl::string_view origin_id,
      absl::Time deadline) = 0;

  // Each replaces the parts of one item and raises the process's progress, in
  // one transaction. False, and nothing is changed, if the process is no longer
  // active. The first also saves the goal; PermissionDenied if it exists and is
  // another user's. The others return NotFound if the item no longer exists.
  virtual absl::StatusOr<bool> SaveSubGoals(
      const Saving& saving, const Goal& goal,
      const std::vector<SubGoal>& sub_goals, absl::Time deadline) = 0;
  virtual absl::StatusOr<bool> SaveActions(const Saving& saving,
                                           absl::string_view sub_goal_id,
                                           const std::vector<Action>& actions,
                                           absl::Time deadline) = 0;
  virtual absl::StatusOr<bool> SaveTasks(const Saving& saving,
                                         absl::string_view action_id,
                                         const std::vector<Task>& tasks,
                                         absl::Time deadline) = 0;

  // What there is, in order. Descriptions of actions and tasks may be left out.
  virtual absl::StatusOr<std::vector<SubGoal>> SubGoalsOf(
      absl::string_view goal_id, absl::Time deadline) = 0;
  virtual absl::StatusOr<std::vector<SubGoalActions>> ActionsOf(
      const Target& target, absl::Time deadline) = 0;
  virtual absl::StatusOr<std::vector<ActionTasks>> TasksOf(
      const Target& target, absl::Time deadline) = 0;
};

absl::string_view NameOf(ActionType type);
std::optional<ActionType> ActionTypeOf(absl::string_view name);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_GOAL_STORE_H_
