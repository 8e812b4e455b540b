#include "local/cognito/workers.h"

#include <functional>
#include <thread>
#include <utility>

#include "core/sync/mutex.h"

namespace byoshin::local::cognito {

Workers::Workers(int threads) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

Workers::~Workers() {
  {
    const sync::MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

void Workers::Submit(std::function<void()> work) {
  const sync::MutexLock lock(mutex_);
  waiting_.push_back(std::move(work));
  changed_.NotifyAll();
}

void Workers::Run() {
  while (true) {
    std::function<void()> work;
    {
      const sync::MutexLock lock(mutex_);
      while (waiting_.empty() && !stopping_) changed_.Wait(mutex_);
      if (waiting_.empty()) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace byoshin::local::cognito
