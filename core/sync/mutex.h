// A std::mutex and a std::condition_variable whose use the compiler checks.
//
//   class Account {
//    public:
//     void Deposit(int amount) {
//       const sync::MutexLock lock(mutex_);
//       balance_ += amount;
//       changed_.NotifyAll();
//     }
//
//     void AwaitBalance(int amount) {
//       const sync::MutexLock lock(mutex_);
//       while (balance_ < amount) changed_.Wait(mutex_);
//     }
//
//    private:
//     void Audit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
//
//     sync::Mutex mutex_;
//     sync::Condition changed_;
//     int balance_ ABSL_GUARDED_BY(mutex_) = 0;
//   };
//
// In archive mode, using `balance_` or calling Audit() without `mutex_` is an
// error (clang's -Wthread-safety). Other compilers ignore the annotations,
// which are abseil's.
//
// A lambda is checked by itself, as if it were called without the mutex. So
// conditions are waited for in a loop, not with a predicate; a lambda that is
// only called with the mutex held says `mutex_.AssertHeld()`.
#ifndef BYOSHIN_CORE_SYNC_MUTEX_H_
#define BYOSHIN_CORE_SYNC_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"

namespace byoshin::sync {

// Not recursive. Prefer a MutexLock to Lock() and Unlock().
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

  // Tells the compiler that the caller holds the mutex. Checks nothing.
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK() {}

 private:
  friend class Condition;

  std::mutex mutex_;
};

// Holds a mutex from construction to destruction, or to Unlock().
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() ABSL_UNLOCK_FUNCTION() {
    if (held_) mutex_.Unlock();
  }

  // Releases the mutex early, for example to call code that takes it.
  void Unlock() ABSL_UNLOCK_FUNCTION() {
    mutex_.Unlock();
    held_ = false;
  }

  // Takes it again.
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    mutex_.Lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// A condition variable. A wait may end without a notification: wait in a loop.
class Condition {
 public:
  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

  // Releases `mutex` during the wait.
  void Wait(Mutex& mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }

  // As Wait(), until `deadline` at the latest. Clock is std::chrono's
  // system_clock or steady_clock.
  template <typename Clock, typename Duration>
  std::cv_status WaitUntil(Mutex& mutex,
                           std::chrono::time_point<Clock, Duration> deadline)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const std::cv_status status = condition_.wait_until(lock, deadline);
    lock.release();
    return status;
  }

 private:
  std::condition_variable condition_;
};

}  // namespace byoshin::sync

#endif  // BYOSHIN_CORE_SYNC_MUTEX_H_
