#include "local/rdsdata/deadlines.h"

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::local::rdsdata {

Deadlines::Deadlines(time::Clock& clock)
    : clock_(clock), wakeup_(clock.NewWakeup()), thread_([this] { Run(); }) {}

Deadlines::Id Deadlines::At(absl::Time time, std::function<void()> reached) {
  bool earlier = false;
  Id id = 0;
  {
    const sync::MutexLock lock(mutex_);
    id = ++last_;
    waiting_.emplace(Key{time, id}, std::move(reached));
    times_.emplace(id, time);
    earlier = time < next_;
    if (earlier) next_ = time;
  }
  if (earlier) wakeup_->Wake();
  return id;
}

void Deadlines::Cancel(Id id) {
  // Destroyed without the mutex: it may own what calls this class.
  std::function<void()> dropped;
  const sync::MutexLock lock(mutex_);
  const auto found = times_.find(id);
  if (found == times_.end()) return;
  const auto waiting = waiting_.find(Key{found->second, id});
  dropped = std::move(waiting->second);
  waiting_.erase(waiting);
  times_.erase(found);
}

void Deadlines::Stop() {
  wakeup_->Cancel();
  if (thread_.joinable()) thread_.join();
}

void Deadlines::Run() {
  absl::Time until = absl::InfiniteFuture();
  while (wakeup_->WaitUntil(until) != time::WaitResult::kCancelled) {
    std::vector<std::function<void()>> reached;
    {
      const sync::MutexLock lock(mutex_);
      const absl::Time now = clock_.Now();
      while (!waiting_.empty() && waiting_.begin()->first.first <= now) {
        const auto first = waiting_.begin();
        times_.erase(first->first.second);
        reached.push_back(std::move(first->second));
        waiting_.erase(first);
      }
      until = waiting_.empty() ? absl::InfiniteFuture()
                               : waiting_.begin()->first.first;
      next_ = until;
    }
    for (const std::function<void()>& call : reached) call();
  }
}

}  // namespace byoshin::local::rdsdata
