// A RealTimer whose time a test controls.
//
//   ManualTimer timer;
//   ... // a function that hangs
//   timer.Expire(absl::Seconds(3));  // calls what was set for 3 s
#ifndef BYOSHIN_CORE_TIME_TESTING_MANUAL_TIMER_H_
#define BYOSHIN_CORE_TIME_TESTING_MANUAL_TIMER_H_

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "absl/time/time.h"
#include "core/time/real_timer.h"

namespace byoshin::time::testing {

// Thread-safe.
class ManualTimer final : public RealTimer {
 public:
  Id After(absl::Duration duration, std::function<void()> expired) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    timers_.emplace(++last_, std::pair(duration, std::move(expired)));
    changed_.notify_all();
    return last_;
  }

  void Cancel(Id id) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    timers_.erase(id);
  }

  // Waits until a timer of exactly this duration is set, and lets it expire.
  void Expire(absl::Duration duration) { Take(duration)(); }

  // The same, but returns the callback without calling it: cancelling the timer
  // now is too late.
  std::function<void()> Take(absl::Duration duration) {
    std::unique_lock<std::mutex> lock(mutex_);
    auto found = timers_.end();
    changed_.wait(lock, [&] {
      for (found = timers_.begin(); found != timers_.end(); ++found) {
        if (found->second.first == duration) return true;
      }
      return false;
    });
    std::function<void()> expired = std::move(found->second.second);
    timers_.erase(found);
    return expired;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Id, std::pair<absl::Duration, std::function<void()>>> timers_;
  Id last_ = 0;
};

}  // namespace byoshin::time::testing

#endif  // BYOSHIN_CORE_TIME_TESTING_MANUAL_TIMER_H_
