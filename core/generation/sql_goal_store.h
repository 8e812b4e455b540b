// Goals and their parts in PostgreSQL, through the RDS Data API. The schema is
// in migrations/.
#ifndef BYOSHIN_CORE_GENERATION_SQL_GOAL_STORE_H_
#define BYOSHIN_CORE_GENERATION_SQL_GOAL_STORE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/request.h"
#include "core/generation/sql.h"

namespace byoshin::generation {

// Not thread-safe. The database must outlive it.
class SqlGoalStore final : public GoalStore {
 public:
  explicit SqlGoalStore(SqlDatabase& database) : database_(database) {}

  absl::StatusOr<std::optional<Goal>> GoalOf(const Target& target,
                                             absl::Time deadline) override;
  absl::StatusOr<std::vector<WorkItem>> Items(ProcessType type,
                                              const Target& target,
                                              absl::string_view origin_id,
                                              absl::Time deadline) override;
  absl::StatusOr<bool> SaveSubGoals(const Saving& saving, const Goal& goal,
                                    const std::vector<SubGoal>& sub_goals,
                                    absl::Time deadline) override;
  absl::StatusOr<bool> SaveActions(const Saving& saving,
                                   absl::string_view sub_goal_id,
                                   const std::vector<Action>& actions,
                                   absl::Time deadline) override;
  absl::StatusOr<bool> SaveTasks(const Saving& saving,
                                 absl::string_view action_id,
                                 const std::vector<Task>& tasks,
                                 absl::Time deadline) override;
  absl::StatusOr<std::vector<SubGoal>> SubGoalsOf(absl::string_view goal_id,
                                                  absl::Time deadline) override;
  absl::StatusOr<std::vector<SubGoalActions>> ActionsOf(
      const Target& target, absl::Time deadline) override;
  absl::StatusOr<std::vector<ActionTasks>> TasksOf(
      const Target& target, absl::Time deadline) override;

 private:
  // Statements that replace the parts of one item.
  struct Replacement {
    // Run after the progress; must return a row, or else the result is
    // `unprepared`. It locks the item, so that processes that replace the same
    // parts do so one after the other.
    SqlStatement prepare{};
    absl::Status unprepared{};
    std::string remove_sql{};
    SqlParameters remove_parameters{};
    std::string insert_sql{};
    std::vector<SqlParameters> insert_parameters{};
  };

  absl::StatusOr<SqlRows> Read(std::string sql, SqlParameters parameters,
                               absl::Time deadline);
  absl::StatusOr<bool> Replace(const Saving& saving, Replacement replacement,
                               absl::Time deadline);

  SqlDatabase& database_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_SQL_GOAL_STORE_H_
