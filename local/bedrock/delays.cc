#include "local/bedrock/delays.h"

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::local::bedrock {

Delays::Delays(time::Clock& clock)
    : clock_(clock), wakeup_(clock.NewWakeup()), thread_([this] { Run(); }) {}

Delays::~Delays() {
  wakeup_->Cancel();
  thread_.join();
  EndAll();
}

void Delays::After(absl::Duration delay, std::function<void()> call) {
  {
    const sync::MutexLock lock(mutex_);
    pending_.emplace(clock_.Now() + delay, std::move(call));
  }
  wakeup_->Wake();
}

void Delays::EndAll() { CallUntil(absl::InfiniteFuture()); }

absl::Time Delays::NextDeadline() const {
  const sync::MutexLock lock(mutex_);
  return pending_.empty() ? absl::InfiniteFuture() : pending_.begin()->first;
}

void Delays::CallUntil(absl::Time due) {
  const sync::MutexLock calling(call_mutex_);
  std::vector<std::function<void()>> calls;
  {
    const sync::MutexLock lock(mutex_);
    const auto end = pending_.upper_bound(due);
    for (auto it = pending_.begin(); it != end; ++it) {
      calls.push_back(std::move(it->second));
    }
    pending_.erase(pending_.begin(), end);
  }
  for (const std::function<void()>& call : calls) call();
}

void Delays::Run() {
  while (wakeup_->WaitUntil(NextDeadline()) != time::WaitResult::kCancelled) {
    CallUntil(clock_.Now());
  }
}

}  // namespace byoshin::local::bedrock
