#include "local/rdsdata/helpers.h"

#include <deque>
#include <functional>
#include <thread>
#include <utility>

#include "core/sync/mutex.h"

namespace byoshin::local::rdsdata {

Helpers::Helpers(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

void Helpers::Do(std::function<void()> work) {
  const sync::MutexLock lock(mutex_);
  if (stopping_) return;
  work_.push_back(std::move(work));
  changed_.NotifyOne();
}

void Helpers::Stop() {
  std::deque<std::function<void()>> dropped;
  {
    const sync::MutexLock lock(mutex_);
    stopping_ = true;
    dropped.swap(work_);
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Helpers::Run() {
  sync::MutexLock lock(mutex_);
  while (true) {
    while (work_.empty() && !stopping_) changed_.Wait(mutex_);
    if (stopping_) return;
    std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    lock.Unlock();
    work();
    work = nullptr;
    lock.Lock();
  }
}

}  // namespace byoshin::local::rdsdata
