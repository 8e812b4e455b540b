#include "local/bedrock/delays.h"

#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/real_timer.h"

namespace byoshin::local::bedrock {

class Delays::Once {
 public:
  explicit Once(std::function<void()> call) : call_(std::move(call)) {}

  // Returns once the call is done, whoever makes it: whatever it uses may be
  // destroyed then.
  void Call() {
    const sync::MutexLock lock(mutex_);
    if (const std::function<void()> call = std::exchange(call_, nullptr)) {
      call();
    }
  }
  bool called() const {
    const sync::MutexLock lock(mutex_);
    return call_ == nullptr;
  }

 private:
  mutable sync::Mutex mutex_;
  std::function<void()> call_ ABSL_GUARDED_BY(mutex_);
};

Delays::Delays(time::Clock& clock, time::RealTimer* timer)
    : clock_(clock),
      timer_(timer),
      wakeup_(clock.NewWakeup()),
      thread_([this] { Run(); }) {}

Delays::~Delays() {
  wakeup_->Cancel();
  thread_.join();
  EndAll();
}

void Delays::After(absl::Duration delay, std::function<void()> call) {
  const auto once = std::make_shared<Once>(std::move(call));
  {
    const sync::MutexLock lock(mutex_);
    // What the real timer has called need not be waited for.
    std::erase_if(pending_,
                  [](const auto& entry) { return entry.second->called(); });
    pending_.emplace(clock_.Now() + delay, once);
  }
  if (timer_ != nullptr) timer_->After(delay, [once] { once->Call(); });
  wakeup_->Wake();
}

void Delays::EndAll() {
  Pending pending;
  {
    const sync::MutexLock lock(mutex_);
    pending.swap(pending_);
  }
  for (const auto& [due, once] : pending) once->Call();
}

absl::Time Delays::NextDeadline() const {
  const sync::MutexLock lock(mutex_);
  return pending_.empty() ? absl::InfiniteFuture() : pending_.begin()->first;
}

void Delays::Run() {
  while (wakeup_->WaitUntil(NextDeadline()) != time::WaitResult::kCancelled) {
    std::vector<std::shared_ptr<Once>> due;
    {
      const sync::MutexLock lock(mutex_);
      const auto end = pending_.upper_bound(clock_.Now());
      for (auto it = pending_.begin(); it != end; ++it) {
        due.push_back(it->second);
      }
      pending_.erase(pending_.begin(), end);
    }
    for (const std::shared_ptr<Once>& once : due) once->Call();
  }
}

}  // namespace byoshin::local::bedrock
