#include "core/generation/sql_goal_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/rdsdata/client.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/request.h"
#include "core/generation/sql.h"
#include "core/generation/sql_process_store.h"

namespace byoshin::generation {
namespace {

constexpr char kJoinSubGoals[] = " JOIN sub_goals AS s ON s.id = a.sub_goal_id";

// The condition that selects the target among goals g, sub-goals s and actions
// a.
absl::string_view ConditionOf(TargetKind kind) {
  switch (kind) {
    case TargetKind::kGoal:
      return "s.goal_id = :target";
    case TargetKind::kSubGoal:
      return "s.id = :target";
    case TargetKind::kAction:
      break;
  }
  return "a.id = :target";
}

std::string GoalSql(TargetKind kind) {
  constexpr absl::string_view kColumns =
      "SELECT g.id, g.user_id, g.title, g.description, g.deadline, "
      "g.background, g.constraints FROM goals AS g";
  constexpr absl::string_view kJoin =
      " JOIN sub_goals AS s ON s.goal_id = g.id";
  switch (kind) {
    case TargetKind::kGoal:
      return absl::StrCat(kColumns, " WHERE g.id = :target");
    case TargetKind::kSubGoal:
      return absl::StrCat(kColumns, kJoin, " WHERE s.id = :target");
    case TargetKind::kAction:
      break;
  }
  return absl::StrCat(kColumns, kJoin,
                      " JOIN actions AS a ON a.sub_goal_id = s.id"
                      " WHERE a.id = :target");
}

std::string ItemsSql(ProcessType type, TargetKind kind) {
  switch (type) {
    case ProcessType::kSubGoals:
      return "SELECT CAST(CAST(:target AS uuid) AS text), '', '', '', EXISTS "
             "(SELECT 1 FROM "
             "sub_goals WHERE goal_id = :target AND generated_by = :origin)";
    case ProcessType::kActions:
      return absl::StrCat(
          "SELECT s.id, s.title, s.description, '', EXISTS (SELECT 1 FROM "
          "actions AS a WHERE a.sub_goal_id = s.id AND a.generated_by = "
          ":origin) FROM sub_goals AS s WHERE ",
          ConditionOf(kind), " ORDER BY s.position");
    case ProcessType::kTasks:
      break;
  }
  return absl::StrCat(
      "SELECT a.id, a.title, a.description, s.title, EXISTS (SELECT 1 FROM "
      "tasks AS t WHERE t.action_id = a.id AND t.generated_by = :origin) "
      "FROM actions AS a",
      kJoinSubGoals, " WHERE ", ConditionOf(kind),
      " ORDER BY s.position, a.position");
}

template <typename T>
SqlParameters PartParameters(const Saving& saving, const T& part) {
  return {UuidParameter("id", part.id),
          IntParameter("position", part.position),
          TextParameter("title", part.title),
          TextParameter("description", part.description),
          UuidParameter("origin", saving.origin_id),
          TimeParameter("now", saving.now)};
}

ActionType ReadActionType(SqlRow& row) {
  const std::optional<ActionType> type = ActionTypeOf(row.Text());
  if (!type.has_value()) row.Refuse("is not an action type");
  return type.value_or(ActionType::kExecution);
}

SqlStatement SaveGoalStatement(const Goal& goal, absl::Time now) {
  return {.sql =
              "INSERT INTO goals (id, user_id, title, description, deadline, "
              "background, constraints, created_at, updated_at) "
              "VALUES (:id, :user_id, :title, :description, :deadline, "
              ":background, :constraints, :now, :now) "
              "ON CONFLICT (id) DO UPDATE SET title = EXCLUDED.title, "
              "description = EXCLUDED.description, "
              "deadline = EXCLUDED.deadline, "
              "background = EXCLUDED.background, "
              "constraints = EXCLUDED.constraints, "
              "updated_at = EXCLUDED.updated_at "
              "WHERE goals.user_id = EXCLUDED.user_id RETURNING id",
          .parameters = {UuidParameter("id", goal.id),
                         TextParameter("user_id", goal.user_id),
                         TextParameter("title", goal.title),
                         TextParameter("description", goal.description),
                         TextParameter("deadline", goal.deadline),
                         TextParameter("background", goal.background),
                         TextParameter("constraints", goal.constraints),
                         TimeParameter("now", now)}};
}

}  // namespace

absl::StatusOr<SqlRows> SqlGoalStore::Read(std::string sql,
                                           SqlParameters parameters,
                                           absl::Time deadline) {
  return database_.Run({.sql = std::move(sql),
                        .parameters = std::move(parameters),
                        .repetition = aws::Repetition::kHarmless},
                       deadline);
}

absl::StatusOr<std::optional<Goal>> SqlGoalStore::GoalOf(const Target& target,
                                                         absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = Read(
      GoalSql(target.kind), {UuidParameter("target", target.id)}, deadline);
  if (!rows.ok()) return rows.status();
  if (rows->records.empty()) return std::nullopt;
  SqlRow row(rows->records[0]);
  Goal goal;
  goal.id = row.Text();
  goal.user_id = row.Text();
  goal.title = row.Text();
  goal.description = row.Text();
  goal.deadline = row.Text();
  goal.background = row.Text();
  goal.constraints = row.Text();
  if (!row.status().ok()) return row.status();
  return goal;
}

absl::StatusOr<std::vector<WorkItem>> SqlGoalStore::Items(
    ProcessType type, const Target& target, absl::string_view origin_id,
    absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = Read(
      ItemsSql(type, target.kind),
      {UuidParameter("target", target.id), UuidParameter("origin", origin_id)},
      deadline);
  if (!rows.ok()) return rows.status();
  std::vector<WorkItem> items;
  for (const std::vector<aws::rdsdata::Field>& fields : rows->records) {
    SqlRow row(fields);
    WorkItem item;
    item.id = row.Text();
    item.title = row.Text();
    item.description = row.Text();
    item.sub_goal_title = row.Text();
    item.done = row.Bool();
    if (!row.status().ok()) return row.status();
    items.push_back(std::move(item));
  }
  return items;
}

absl::StatusOr<bool> SqlGoalStore::Replace(const Saving& saving,
                                           Replacement replacement,
                                           absl::Time deadline) {
  return database_.InTransaction(
      [&](const std::string& id) -> absl::StatusOr<bool> {
        // Also locks the process: it can't be cancelled before the commit.
        const absl::StatusOr<SqlRows> active =
            database_.Run({.sql = kAdvanceSql,
                           .parameters = ProgressParameters(
                               saving.process_id, saving.progress, saving.now),
                           .transaction_id = id},
                          deadline);
        if (!active.ok()) return active.status();
        if (active->records.empty()) return false;
        replacement.prepare.transaction_id = id;
        const absl::StatusOr<SqlRows> prepared =
            database_.Run(replacement.prepare, deadline);
        if (!prepared.ok()) return prepared.status();
        if (prepared->records.empty()) return replacement.unprepared;
        const absl::StatusOr<SqlRows> removed =
            database_.Run({.sql = replacement.remove_sql,
                           .parameters = replacement.remove_parameters,
                           .transaction_id = id},
                          deadline);
        if (!removed.ok()) return removed.status();
        absl::Status inserted = database_.RunBatch(
            replacement.insert_sql, std::move(replacement.insert_parameters),
            id, deadline);
        if (!inserted.ok()) return inserted;
        return true;
      },
      deadline);
}

absl::StatusOr<bool> SqlGoalStore::SaveSubGoals(
    const Saving& saving, const Goal& goal,
    const std::vector<SubGoal>& sub_goals, absl::Time deadline) {
  Replacement replacement{
      .prepare = SaveGoalStatement(goal, saving.now),
      .unprepared = absl::PermissionDeniedError("the goal is another user's"),
      .remove_sql = "DELETE FROM sub_goals WHERE goal_id = :goal_id",
      .remove_parameters = {UuidParameter("goal_id", goal.id)},
      .insert_sql =
          "INSERT INTO sub_goals (id, goal_id, position, title, "
          "description, generated_by, created_at) VALUES (:id, "
          ":goal_id, :position, :title, :description, :origin, "
          ":now)"};
  for (const SubGoal& sub_goal : sub_goals) {
    SqlParameters parameters = PartParameters(saving, sub_goal);
    parameters.push_back(UuidParameter("goal_id", goal.id));
    replacement.insert_parameters.push_back(std::move(parameters));
  }
  return Replace(saving, std::move(replacement), deadline);
}

absl::StatusOr<bool> SqlGoalStore::SaveActions(
    const Saving& saving, absl::string_view sub_goal_id,
    const std::vector<Action>& actions, absl::Time deadline) {
  Replacement replacement{
      .prepare = {.sql = "SELECT id FROM sub_goals WHERE id = :sub_goal_id "
                         "FOR UPDATE",
                  .parameters = {UuidParameter("sub_goal_id", sub_goal_id)}},
      .unprepared = absl::NotFoundError("the sub-goal no longer exists"),
      .remove_sql = "DELETE FROM actions WHERE sub_goal_id = :sub_goal_id",
      .remove_parameters = {UuidParameter("sub_goal_id", sub_goal_id)},
      .insert_sql =
          "INSERT INTO actions (id, sub_goal_id, position, title, "
          "description, type, generated_by, created_at) VALUES "
          "(:id, :sub_goal_id, :position, :title, :description, "
          ":type, :origin, :now)"};
  for (const Action& action : actions) {
    SqlParameters parameters = PartParameters(saving, action);
    parameters.push_back(UuidParameter("sub_goal_id", sub_goal_id));
    parameters.push_back(TextParameter("type", NameOf(action.type)));
    replacement.insert_parameters.push_back(std::move(parameters));
  }
  return Replace(saving, std::move(replacement), deadline);
}

absl::StatusOr<bool> SqlGoalStore::SaveTasks(const Saving& saving,
                                             absl::string_view action_id,
                                             const std::vector<Task>& tasks,
                                             absl::Time deadline) {
  Replacement replacement{
      .prepare = {.sql = "SELECT id FROM actions WHERE id = :action_id "
                         "FOR UPDATE",
                  .parameters = {UuidParameter("action_id", action_id)}},
      .unprepared = absl::NotFoundError("the action no longer exists"),
      .remove_sql = "DELETE FROM tasks WHERE action_id = :action_id",
      .remove_parameters = {UuidParameter("action_id", action_id)},
      .insert_sql =
          "INSERT INTO tasks (id, action_id, position, title, "
          "description, estimated_minutes, generated_by, "
          "created_at) VALUES (:id, :action_id, :position, :title, "
          ":description, :estimated_minutes, :origin, :now)"};
  for (const Task& task : tasks) {
    SqlParameters parameters = PartParameters(saving, task);
    parameters.push_back(UuidParameter("action_id", action_id));
    parameters.push_back(IntParameter(
        "estimated_minutes", absl::ToInt64Minutes(task.estimated_time)));
    replacement.insert_parameters.push_back(std::move(parameters));
  }
  return Replace(saving, std::move(replacement), deadline);
}

absl::StatusOr<std::vector<SubGoal>> SqlGoalStore::SubGoalsOf(
    absl::string_view goal_id, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = Read(
      "SELECT id, position, title, description FROM sub_goals "
      "WHERE goal_id = :goal_id ORDER BY position",
      {UuidParameter("goal_id", goal_id)}, deadline);
  if (!rows.ok()) return rows.status();
  std::vector<SubGoal> sub_goals;
  for (const std::vector<aws::rdsdata::Field>& fields : rows->records) {
    SqlRow row(fields);
    SubGoal sub_goal;
    sub_goal.id = row.Text();
    sub_goal.position = static_cast<int>(row.Int());
    sub_goal.title = row.Text();
    sub_goal.description = row.Text();
    if (!row.status().ok()) return row.status();
    sub_goals.push_back(std::move(sub_goal));
  }
  return sub_goals;
}

absl::StatusOr<std::vector<SubGoalActions>> SqlGoalStore::ActionsOf(
    const Target& target, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows =
      Read(absl::StrCat("SELECT s.id, a.id, a.position, a.title, a.type FROM "
                        "actions AS a",
                        kJoinSubGoals, " WHERE ", ConditionOf(target.kind),
                        " ORDER BY s.position, a.position"),
           {UuidParameter("target", target.id)}, deadline);
  if (!rows.ok()) return rows.status();
  std::vector<SubGoalActions> found;
  for (const std::vector<aws::rdsdata::Field>& fields : rows->records) {
    SqlRow row(fields);
    std::string sub_goal_id = row.Text();
    Action action;
    action.id = row.Text();
    action.position = static_cast<int>(row.Int());
    action.title = row.Text();
    action.type = ReadActionType(row);
    if (!row.status().ok()) return row.status();
    if (found.empty() || found.back().sub_goal_id != sub_goal_id) {
      found.push_back({.sub_goal_id = std::move(sub_goal_id)});
    }
    found.back().actions.push_back(std::move(action));
  }
  return found;
}

absl::StatusOr<std::vector<ActionTasks>> SqlGoalStore::TasksOf(
    const Target& target, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows =
      Read(absl::StrCat("SELECT a.id, t.id, t.position, t.title, "
                        "t.estimated_minutes FROM tasks AS t "
                        "JOIN actions AS a ON a.id = t.action_id",
                        kJoinSubGoals, " WHERE ", ConditionOf(target.kind),
                        " ORDER BY s.position, a.position, t.position"),
           {UuidParameter("target", target.id)}, deadline);
  if (!rows.ok()) return rows.status();
  std::vector<ActionTasks> found;
  for (const std::vector<aws::rdsdata::Field>& fields : rows->records) {
    SqlRow row(fields);
    std::string action_id = row.Text();
    Task task;
    task.id = row.Text();
    task.position = static_cast<int>(row.Int());
    task.title = row.Text();
    task.estimated_time = absl::Minutes(row.Int());
    if (!row.status().ok()) return row.status();
    if (found.empty() || found.back().action_id != action_id) {
      found.push_back({.action_id = std::move(action_id)});
    }
    found.back().tasks.push_back(std::move(task));
  }
  return found;
}

}  // namespace byoshin::generation
