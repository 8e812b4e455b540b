#include "core/sync/mutex.h"

#include <chrono>
#include <condition_variable>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "gtest/gtest.h"

namespace byoshin::sync {
namespace {

class Counter {
 public:
  void Add() {
    const MutexLock lock(mutex_);
    ++count_;
    changed_.NotifyAll();
  }

  void AwaitAtLeast(int count) {
    const MutexLock lock(mutex_);
    while (count_ < count) changed_.Wait(mutex_);
  }

  int count() const {
    const MutexLock lock(mutex_);
    return count_;
  }

 private:
  mutable Mutex mutex_;
  Condition changed_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, IsHeldByOneThreadAtATime) {
  constexpr int kThreads = 4;
  constexpr int kAdditions = 10000;
  Counter counter;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&counter] {
      for (int n = 0; n < kAdditions; ++n) counter.Add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.count(), kThreads * kAdditions);
}

TEST(MutexLock, CanReleaseTheMutexEarlyAndTakeItAgain) {
  Mutex mutex;
  MutexLock lock(mutex);
  lock.Unlock();
  // Would block forever otherwise.
  { const MutexLock inner(mutex); }
  lock.Lock();
}

TEST(MutexLock, LeavesAReleasedMutexFree) {
  Mutex mutex;
  {
    MutexLock lock(mutex);
    lock.Unlock();
  }
  const MutexLock lock(mutex);
}

TEST(Condition, WakesAThreadThatWaits) {
  Counter counter;
  std::thread waiting([&counter] { counter.AwaitAtLeast(2); });
  counter.Add();
  counter.Add();
  waiting.join();
  EXPECT_EQ(counter.count(), 2);
}

// Returns once a wait has ended at its deadline.
template <typename Clock>
void WaitUntilNow() {
  Mutex mutex;
  Condition never;
  const MutexLock lock(mutex);
  const auto deadline = Clock::now();
  // A wait may also end for no reason.
  while (never.WaitUntil(mutex, deadline) != std::cv_status::timeout) {
  }
}

TEST(Condition, EndsAWaitAtItsDeadline) {
  WaitUntilNow<std::chrono::system_clock>();
  WaitUntilNow<std::chrono::steady_clock>();
}

}  // namespace
}  // namespace byoshin::sync
