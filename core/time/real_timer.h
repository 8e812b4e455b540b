// Timers on the machine's monotonic clock, for limits on other processes: how
// long one takes does not depend on the clock that a program simulates.
//
//   SteadyTimer timer;
//   RealTimer::Id id = timer.After(absl::Seconds(30), [&] { Kill(); });
//   ...
//   timer.Cancel(id);
//
// On a simulated clock, time stands still while a child process runs, so that a
// deadline on that clock would never come. On a real clock, setting the
// machine's time must not end a process.
//
// Time during which the process or the machine was stopped does not count: a
// child that was stopped too gets the rest of its time, and one that went on
// can deliver its answer before its time is up.
#ifndef BYOSHIN_CORE_TIME_REAL_TIMER_H_
#define BYOSHIN_CORE_TIME_REAL_TIMER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/time/time.h"

namespace byoshin::time {

// Thread-safe.
class RealTimer {
 public:
  // Never 0.
  using Id = std::uint64_t;

  virtual ~RealTimer() = default;

  // Calls `expired` once, on an internal thread, unless cancelled before.
  // `expired` must not block.
  virtual Id After(absl::Duration duration, std::function<void()> expired) = 0;

  // Has no effect on a timer that has expired or is about to.
  virtual void Cancel(Id id) = 0;
};

// If a timer fires later than this, the process is taken to have been stopped.
inline constexpr absl::Duration kSuspension = absl::Seconds(2);
// Afterwards every timer has at least this much time left.
inline constexpr absl::Duration kResumeGrace = absl::Seconds(1);

// Thread-safe.
class SteadyTimer final : public RealTimer {
 public:
  using Instant = std::chrono::steady_clock::time_point;

  SteadyTimer() : SteadyTimer(std::chrono::steady_clock::now) {}
  // `now`: thread-safe; for tests.
  explicit SteadyTimer(std::function<Instant()> now);
  ~SteadyTimer() override;

  Id After(absl::Duration duration, std::function<void()> expired) override;
  void Cancel(Id id) override;

 private:
  struct Timer {
    absl::Duration duration;
    std::function<void()> expired;
  };
  using Timers = std::map<std::pair<Instant, Id>, Timer>;

  void Run();
  // Puts off every timer by as much as the first one is late, but not by more
  // than its whole duration from now. Requires mutex_.
  void PutOffAll(Instant now);

  const std::function<Instant()> now_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Timers timers_;
  std::map<Id, Instant> instants_;
  Id last_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_REAL_TIMER_H_
