#include "local/stepfunctions/activities.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace byoshin::local::stepfunctions {

void Activities::AddTask(const std::string& activity_arn, ActivityTask task) {
  Queue& queue = queues_[activity_arn];
  queue.tasks.push_back(std::move(task));
  MatchAll(queue);
}

void Activities::RemoveTask(const std::string& execution_arn, TaskId task) {
  for (auto& [arn, queue] : queues_) {
    std::erase_if(queue.tasks, [&](const ActivityTask& candidate) {
      return candidate.task == task && candidate.execution_arn == execution_arn;
    });
  }
}

Activities::WorkerId Activities::AddWorker(const std::string& activity_arn,
                                           ActivityWorker worker) {
  Queue& queue = queues_[activity_arn];
  const WorkerId id = ++last_worker_;
  queue.workers.emplace(id, std::move(worker));
  MatchAll(queue);
  return queue.workers.contains(id) ? id : 0;
}

void Activities::EndWorker(const std::string& activity_arn, WorkerId worker) {
  const auto queue = queues_.find(activity_arn);
  if (queue == queues_.end()) return;
  const auto found = queue->second.workers.find(worker);
  if (found == queue->second.workers.end()) return;
  const ActivityWorker ended = std::move(found->second);
  queue->second.workers.erase(found);
  if (queue->second.workers.empty() && queue->second.tasks.empty()) {
    queues_.erase(queue);
  }
  ended.done(std::nullopt);
}

void Activities::EndAllWorkers() {
  for (auto& [arn, queue] : queues_) {
    for (auto& [id, worker] : std::exchange(queue.workers, {})) {
      worker.done(std::nullopt);
    }
  }
}

void Activities::RemoveAllTasks() {
  for (auto& [arn, queue] : queues_) queue.tasks.clear();
}

void Activities::MatchAll(Queue& queue) {
  while (!queue.tasks.empty() && !queue.workers.empty()) {
    ActivityWorker worker = std::move(queue.workers.begin()->second);
    queue.workers.erase(queue.workers.begin());
    if (!worker.connected()) {
      worker.done(std::nullopt);
      continue;
    }
    ActivityTask task = std::move(queue.tasks.front());
    queue.tasks.pop_front();
    match_(std::move(task), std::move(worker));
  }
}

}  // namespace byoshin::local::stepfunctions
