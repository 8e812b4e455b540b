#include "core/time/alarms.h"

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {

Alarms::Alarms(Clock& clock)
    : clock_(clock), wakeup_(clock.NewWakeup()), thread_([this] { Run(); }) {}

Alarms::~Alarms() {
  wakeup_->Cancel();
  thread_.join();
}

Alarms::Id Alarms::Set(absl::Time time, std::function<void()> ring) {
  const sync::MutexLock lock(mutex_);
  const Id id = ++last_id_;
  alarms_.emplace(Key(time, id), std::move(ring));
  times_.emplace(id, time);
  if (time < awaited_) {
    awaited_ = time;
    wakeup_->Wake();
  }
  return id;
}

void Alarms::Cancel(Id id) {
  const sync::MutexLock lock(mutex_);
  const auto found = times_.find(id);
  if (found == times_.end()) return;
  alarms_.erase(Key(found->second, id));
  times_.erase(found);
}

void Alarms::Run() {
  while (wakeup_->WaitUntil(RingDue()) != WaitResult::kCancelled) {
  }
}

absl::Time Alarms::RingDue() {
  sync::MutexLock lock(mutex_);
  std::vector<std::function<void()>> due;
  while (!alarms_.empty() && alarms_.begin()->first.first <= clock_.Now()) {
    due.push_back(std::move(alarms_.begin()->second));
    times_.erase(alarms_.begin()->first.second);
    alarms_.erase(alarms_.begin());
  }
  awaited_ =
      alarms_.empty() ? absl::InfiniteFuture() : alarms_.begin()->first.first;
  const absl::Time next = awaited_;
  lock.Unlock();
  for (const std::function<void()>& ring : due) ring();
  return next;
}

}  // namespace byoshin::time
