#include "local/appsync/sources/request_threads.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "core/sync/mutex.h"

namespace byoshin::local::appsync {

RequestThreads::RequestThreads(Limits limits) : limits_(limits) {
  const sync::MutexLock lock(mutex_);
  StartThread();
}

void RequestThreads::Do(const void* owner, std::function<void()> work) {
  ThreadList left;
  {
    const sync::MutexLock lock(mutex_);
    if (ending_) return;
    left.swap(left_);
    Owner& its = owners_[owner];
    if (its.active < limits_.per_owner) {
      ++its.active;
      MakeReady(owner, std::move(work));
    } else {
      its.waiting.push_back(std::move(work));
    }
  }
  for (std::thread& thread : left) thread.join();
}

void RequestThreads::MakeReady(const void* owner, std::function<void()> work) {
  ready_.push_back({owner, std::move(work)});
  if (ready_.size() > idle_ && threads_.size() < limits_.threads) {
    StartThread();
  }
  changed_.NotifyOne();
}

void RequestThreads::StartThread() {
  const auto self = threads_.emplace(threads_.end());
  try {
    *self = std::thread([this, self] { Run(self); });
  } catch (const std::system_error&) {
    // The system gives no more threads: the work waits for those that exist,
    // one of which always does.
    threads_.erase(self);
  }
}

void RequestThreads::Finished(const void* owner) {
  const auto found = owners_.find(owner);
  // Drop() has forgotten it.
  if (found == owners_.end()) return;
  Owner& its = found->second;
  if (!its.waiting.empty()) {
    MakeReady(owner, std::move(its.waiting.front()));
    its.waiting.pop_front();
  } else if (--its.active == 0) {
    owners_.erase(found);
  }
}

void RequestThreads::Run(ThreadList::iterator self) {
  sync::MutexLock lock(mutex_);
  while (!ending_) {
    if (ready_.empty()) {
      if (idle_ >= limits_.idle) {
        left_.splice(left_.end(), threads_, self);
        return;
      }
      ++idle_;
      while (ready_.empty() && !ending_) changed_.Wait(mutex_);
      --idle_;
      continue;
    }
    Ready next = std::move(ready_.front());
    ready_.pop_front();
    lock.Unlock();
    next.work();
    // What it holds is freed without the lock.
    next.work = nullptr;
    lock.Lock();
    Finished(next.owner);
  }
}

void RequestThreads::Drop() {
  // Destroyed without the lock: what they hold may call Do().
  std::deque<Ready> ready;
  std::map<const void*, Owner> owners;
  ThreadList threads;
  {
    const sync::MutexLock lock(mutex_);
    ending_ = true;
    ready.swap(ready_);
    owners.swap(owners_);
    threads.splice(threads.end(), threads_);
    threads.splice(threads.end(), left_);
    changed_.NotifyAll();
  }
  ready.clear();
  owners.clear();
  for (std::thread& thread : threads) thread.join();
}

std::size_t RequestThreads::threads() {
  const sync::MutexLock lock(mutex_);
  return threads_.size();
}

}  // namespace byoshin::local::appsync
