// The stores in memory, for tests: a model of what PostgreSQL does.
//
//   MemoryStore store;
//   store.FailNext(absl::UnavailableError("the database is gone"));
//   store.processes().at(id).status;
#ifndef BYOSHIN_CORE_GENERATION_TESTING_MEMORY_STORE_H_
#define BYOSHIN_CORE_GENERATION_TESTING_MEMORY_STORE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"

namespace byoshin::generation::testing {

// Not thread-safe.
class MemoryStore final : public ProcessStore, public GoalStore {
 public:
  enum class Effect { kNone, kDone };

  // For one call each, in the order in which they are called. With kDone the
  // call takes effect all the same: the answer was lost, not the request.
  void FailNext(absl::Status status, Effect effect = Effect::kNone) {
    script_.push_back({std::move(status), effect});
  }
  // Lets calls succeed before a failure.
  void SucceedNext(int calls) {
    for (int i = 0; i < calls; ++i) {
      script_.push_back({absl::OkStatus(), Effect::kDone});
    }
  }
  void ClearScript() { script_.clear(); }

  const std::map<std::string, Process>& processes() const { return processes_; }
  // Puts a row there as it is.
  void Put(const Process& process) { processes_[process.id] = process; }
  void PutGoal(const Goal& goal) { goals_[goal.id] = goal; }
  const std::map<std::string, Goal>& goals() const { return goals_; }
  // How often parts were saved.
  int saves() const { return saves_; }

  absl::StatusOr<bool> Admit(absl::string_view user_id, absl::Time now,
                             absl::Time deadline) override;
  absl::Status Insert(const Process& process, absl::Time deadline) override;
  absl::StatusOr<std::optional<Process>> InsertRetry(
      const NewRetry& retry, absl::Time deadline) override;
  absl::StatusOr<std::optional<Process>> Find(absl::string_view process_id,
                                              absl::Time deadline) override;
  absl::StatusOr<std::optional<Process>> Move(const Transition& transition,
                                              absl::Time deadline) override;
  absl::StatusOr<bool> Advance(absl::string_view process_id, int progress,
                               absl::Time now, absl::Time deadline) override;
  absl::StatusOr<bool> SaveResult(absl::string_view process_id,
                                  absl::string_view result, absl::Time now,
                                  absl::Time deadline) override;
  absl::StatusOr<HistoryPage> List(absl::string_view user_id,
                                   const HistoryQuery& query,
                                   absl::Time deadline) override;
  absl::StatusOr<std::int64_t> CountPending(absl::Time deadline) override;
  absl::StatusOr<std::vector<Process>> ListPending(
      absl::Time before, int limit, absl::Time deadline) override;
  absl::StatusOr<std::int64_t> RemoveCreatedBefore(
      absl::Time before, absl::Time deadline) override;
  absl::StatusOr<std::int64_t> CloseCreatedBefore(absl::Time before,
                                                  const ProcessError& error,
                                                  absl::Time now,
                                                  absl::Time deadline) override;

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
  // A part, by which series it was generated, and what it is part of.
  template <typename T>
  struct Part {
    T value{};
    std::string parent_id{};
    std::string generated_by{};
  };

  // The planned outcome of this call.
  struct Plan {
    absl::Status status{};
    Effect effect = Effect::kDone;
  };
  Plan NextPlan();

  Process* FindActive(absl::string_view process_id);
  bool Raise(const Saving& saving);
  std::vector<Part<SubGoal>> SubGoalParts(const Target& target) const;
  std::vector<Part<Action>> ActionParts(const Target& target) const;

  std::deque<Plan> script_;
  std::map<std::string, std::vector<absl::Time>> requests_;
  std::map<std::string, Process> processes_;
  std::map<std::string, Goal> goals_;
  std::vector<Part<SubGoal>> sub_goals_;
  std::vector<Part<Action>> actions_;
  std::vector<Part<Task>> tasks_;
  int saves_ = 0;
};

}  // namespace byoshin::generation::testing

#endif  // BYOSHIN_CORE_GENERATION_TESTING_MEMORY_STORE_H_
