#include "core/time/real_timer.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::time {

SteadyTimer::SteadyTimer(std::function<Instant()> now)
    : now_(std::move(now)), thread_([this] { Run(); }) {}

SteadyTimer::~SteadyTimer() {
  {
    const sync::MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

RealTimer::Id SteadyTimer::After(absl::Duration duration,
                                 std::function<void()> expired) {
  const Instant now = now_();
  const Instant instant = now + absl::ToChronoNanoseconds(duration);
  const sync::MutexLock lock(mutex_);
  if (timers_.empty()) looked_ = now;
  const Id id = ++last_;
  const auto added =
      timers_
          .emplace(std::pair(instant, id), Timer{duration, std::move(expired)})
          .first;
  instants_.emplace(id, instant);
  if (added == timers_.begin()) changed_.NotifyAll();
  return id;
}

void SteadyTimer::Cancel(Id id) {
  const sync::MutexLock lock(mutex_);
  const auto found = instants_.find(id);
  if (found == instants_.end()) return;
  timers_.erase({found->second, id});
  instants_.erase(found);
}

void SteadyTimer::Run() {
  sync::MutexLock lock(mutex_);
  while (!stopping_) {
    if (timers_.empty()) {
      changed_.Wait(mutex_);
      continue;
    }
    const Instant now = Look();
    const auto first = timers_.begin();
    const auto [instant, id] = first->first;
    if (now < instant) {
      changed_.WaitUntil(
          mutex_,
          std::chrono::steady_clock::now() +
              std::min<Instant::duration>(
                  instant - now, absl::ToChronoNanoseconds(kLookInterval)));
      continue;
    }
    const std::function<void()> expired = std::move(first->second.expired);
    timers_.erase(first);
    instants_.erase(id);
    lock.Unlock();
    expired();
    lock.Lock();
  }
}

SteadyTimer::Instant SteadyTimer::Look() {
  const Instant now = now_();
  const Instant::duration late =
      now - looked_ - absl::ToChronoNanoseconds(kLookInterval);
  looked_ = now;
  if (absl::FromChrono(late) > kSuspension) PutOffAll(now, late);
  return now;
}

void SteadyTimer::PutOffAll(Instant now, Instant::duration late) {
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
