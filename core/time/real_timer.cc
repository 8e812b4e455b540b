#include "core/time/real_timer.h"

#include <algorithm>
#include <utility>

namespace byoshin::time {

SteadyTimer::SteadyTimer(std::function<Instant()> now)
    : now_(std::move(now)), thread_([this] { Run(); }) {}

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
  const Instant instant = now_() + absl::ToChronoNanoseconds(duration);
  const std::lock_guard<std::mutex> lock(mutex_);
  const Id id = ++last_;
  const auto added =
      timers_
          .emplace(std::pair(instant, id), Timer{duration, std::move(expired)})
          .first;
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
    const Instant now = now_();
    if (now < instant) {
      changed_.wait_for(lock, instant - now);
      continue;
    }
    if (absl::FromChrono(now - instant) > kSuspension) {
      PutOffAll(now);
      continue;
    }
    const std::function<void()> expired = std::move(first->second.expired);
    timers_.erase(first);
    instants_.erase(id);
    lock.unlock();
    expired();
    lock.lock();
  }
}

void SteadyTimer::PutOffAll(Instant now) {
  const Instant::duration late = now - timers_.begin()->first.first;
  const Instant earliest = now + absl::ToChronoNanoseconds(kResumeGrace);
  Timers later;
  for (auto& [key, timer] : timers_) {
    const auto [instant, id] = key;
    const Instant put_off = std::max(
        earliest,
        std::min<Instant>(instant + late,
                          now + absl::ToChronoNanoseconds(timer.duration)));
    later.emplace(std::pair(put_off, id), std::move(timer));
    instants_[id] = put_off;
  }
  timers_ = std::move(later);
}

}  // namespace byoshin::time
