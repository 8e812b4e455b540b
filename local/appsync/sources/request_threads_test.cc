#include "local/appsync/sources/request_threads.h"

#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"
#include "gtest/gtest.h"

namespace byoshin::local::appsync {
namespace {

// Work that waits until it is released. Outlives the threads that do it.
class HeldWork {
 public:
  std::function<void()> New() {
    return [this] {
      const sync::MutexLock lock(mutex_);
      ++begun_;
      changed_.NotifyAll();
      while (!released_) changed_.Wait(mutex_);
      ++ended_;
      changed_.NotifyAll();
    };
  }
  void AwaitBegun(int count) {
    const sync::MutexLock lock(mutex_);
    while (begun_ < count) changed_.Wait(mutex_);
  }
  void AwaitEnded(int count) {
    const sync::MutexLock lock(mutex_);
    while (ended_ < count) changed_.Wait(mutex_);
  }
  void Release() {
    const sync::MutexLock lock(mutex_);
    released_ = true;
    changed_.NotifyAll();
  }
  int begun() {
    const sync::MutexLock lock(mutex_);
    return begun_;
  }

 private:
  sync::Mutex mutex_;
  sync::Condition changed_;
  int begun_ ABSL_GUARDED_BY(mutex_) = 0;
  int ended_ ABSL_GUARDED_BY(mutex_) = 0;
  bool released_ ABSL_GUARDED_BY(mutex_) = false;
};

class RequestThreadsTest : public ::testing::Test {
 protected:
  const int one_ = 1;
  const int other_ = 2;
};

TEST_F(RequestThreadsTest, AllWorkBeginsUpToTheLimit) {
  HeldWork held;
  RequestThreads threads({.threads = 20, .per_owner = 20, .idle = 1});
  for (int i = 0; i < 20; ++i) threads.Do(&one_, held.New());
  held.AwaitBegun(20);
  EXPECT_EQ(threads.threads(), 20);
  threads.Do(&one_, held.New());
  EXPECT_EQ(threads.threads(), 20);
  held.Release();
  held.AwaitEnded(21);
}

TEST_F(RequestThreadsTest, AnOwnerLeavesThreadsForOthers) {
  HeldWork held;
  HeldWork others;
  RequestThreads threads({.threads = 4, .per_owner = 3, .idle = 1});
  for (int i = 0; i < 10; ++i) threads.Do(&one_, held.New());
  held.AwaitBegun(3);
  others.Release();
  for (int i = 0; i < 10; ++i) threads.Do(&other_, others.New());
  others.AwaitEnded(10);
  EXPECT_EQ(held.begun(), 3);
  held.Release();
  held.AwaitEnded(10);
}

TEST_F(RequestThreadsTest, ThreadsWithoutWorkEnd) {
  HeldWork held;
  HeldWork later;
  RequestThreads threads({.threads = 20, .per_owner = 20, .idle = 2});
  for (int i = 0; i < 20; ++i) threads.Do(&one_, held.New());
  held.AwaitBegun(20);
  held.Release();
  while (threads.threads() > 2) std::this_thread::yield();
  for (int i = 0; i < 5; ++i) threads.Do(&one_, later.New());
  later.AwaitBegun(5);
  later.Release();
}

TEST_F(RequestThreadsTest, WorkThatHasNotBegunIsDropped) {
  HeldWork held;
  RequestThreads threads({.threads = 1, .per_owner = 2, .idle = 1});
  threads.Do(&one_, held.New());
  held.AwaitBegun(1);
  auto token = std::make_shared<int>();
  const std::weak_ptr<int> kept = token;
  // One is ready, one waits for its owner's turn.
  for (int i = 0; i < 2; ++i) {
    threads.Do(&one_, [token, work = held.New()] { work(); });
  }
  token.reset();
  std::thread ending([&] { threads.Drop(); });
  while (!kept.expired()) std::this_thread::yield();
  threads.Do(&other_, held.New());
  held.Release();
  ending.join();
  EXPECT_EQ(held.begun(), 1);
}

}  // namespace
}  // namespace byoshin::local::appsync
