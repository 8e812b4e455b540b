#include "core/async/workers.h"

#include <deque>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/sync/mutex.h"

namespace byoshin::async {

Workers::Workers(int threads) {
  for (int i = 0; i < threads; ++i) {
    try {
      threads_.emplace_back([this] { Run(); });
    } catch (const std::system_error&) {
      // Fewer threads do the same work.
      if (threads_.empty()) throw;
      return;
    }
  }
}

void Workers::Do(std::function<void()> work) {
  const sync::MutexLock lock(mutex_);
  if (ending_) return;
  work_.push_back(std::move(work));
  changed_.NotifyOne();
}

void Workers::Finish() {
  {
    const sync::MutexLock lock(mutex_);
    ending_ = true;
    changed_.NotifyAll();
  }
  Join();
}

void Workers::Drop() {
  // Destroyed without the lock: what it holds may call Do().
  std::deque<std::function<void()>> dropped;
  {
    const sync::MutexLock lock(mutex_);
    ending_ = true;
    dropped.swap(work_);
    changed_.NotifyAll();
  }
  dropped.clear();
  Join();
}

void Workers::Join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::Run() {
  while (true) {
    std::function<void()> work;
    {
      const sync::MutexLock lock(mutex_);
      while (work_.empty() && !ending_) changed_.Wait(mutex_);
      if (work_.empty()) return;
      work = std::move(work_.front());
      work_.pop_front();
    }
    work();
  }
}

}  // namespace byoshin::async
