// The tasks of activities that wait for a worker, and the workers that wait for
// a task.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_ACTIVITIES_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_ACTIVITIES_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "local/stepfunctions/execution/input.h"

namespace byoshin::local::stepfunctions {

struct ActivityTask {
  std::string execution_arn{};
  TaskId task = 0;
  std::string token{};
  // JSON.
  std::string input{};
};

struct ActivityWorker {
  std::string name{};
  // Whether the worker still waits. Never null.
  std::function<bool()> connected{};
  // Gets the task, or nothing when the time is up. Called once.
  std::function<void(std::optional<ActivityTask>)> done{};
};

// Not thread-safe.
class Activities {
 public:
  using WorkerId = std::uint64_t;
  // Called when a task has found its worker.
  using Match = std::function<void(ActivityTask task, ActivityWorker worker)>;
  explicit Activities(Match match) : match_(std::move(match)) {}

  void AddTask(const std::string& activity_arn, ActivityTask task);
  // A task that is not there is no error.
  void RemoveTask(const std::string& execution_arn, TaskId task);
  // 0 if there was a task for it already.
  WorkerId AddWorker(const std::string& activity_arn, ActivityWorker worker);
  // Its time is up.
  void EndWorker(const std::string& activity_arn, WorkerId worker);
  void EndAllWorkers();
  // For a rollback: workers go on waiting.
  void RemoveAllTasks();

 private:
  struct Queue {
    std::deque<ActivityTask> tasks{};
    std::map<WorkerId, ActivityWorker> workers{};
  };
  void MatchAll(Queue& queue);

  const Match match_;
  std::map<std::string, Queue> queues_;  // by ARN
  WorkerId last_worker_ = 0;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_ACTIVITIES_H_
