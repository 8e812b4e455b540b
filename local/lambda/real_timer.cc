#include "local/lambda/real_timer.h"

#include <utility>

namespace byoshin::local::lambda {

SteadyTimer::SteadyTimer() : thread_([this] { Run(); }) {}

SteadyTimer::~SteadyTimer() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

RealTimer::Id SteadyTimer::After(absl::Duration duration,
                                 std::function<void()> expired) {
  const Instant instant =
      std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(duration);
  const std::lock_guard<std::mutex> lock(mutex_);
  const Id id = ++last_;
  const auto added =
      timers_.emplace(std::pair(instant, id), std::move(expired)).first;
  instants_.emplace(id, instant);
  if (added == timers_.begin()) changed_.notify_all();
  return id;
}

void SteadyTimer::Cancel(Id id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = instants_.find(id);
  if (found == instants_.end()) return;
  timers_.erase({found->second, id});
  instants_.erase(found);
}

void SteadyTimer::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    if (timers_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto first = timers_.begin();
    const auto [instant, id] = first->first;
    if (std::chrono::steady_clock::now() < instant) {
      changed_.wait_until(lock, instant);
      continue;
    }
    const std::function<void()> expired = std::move(first->second);
    timers_.erase(first);
    instants_.erase(id);
    lock.unlock();
    expired();
    lock.lock();
  }
}

}  // namespace byoshin::local::lambda
