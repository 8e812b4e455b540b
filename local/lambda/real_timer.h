// Timers in real time, whatever clock the cloud runs on: a function is a
// process, so what limits it is how long it really takes.
//
//   SteadyTimer timer;
//   RealTimer::Id id = timer.After(absl::Seconds(30), [&] { Kill(); });
//   ...
//   timer.Cancel(id);
//
// On the simulated clock time stands still while a function runs, so that no
// deadline on it would ever come, and a function that hangs would hang the
// cloud. On the real clock, setting the machine's time must not kill functions.
// Both say: the time-out of a function runs on the machine's monotonic clock.
//
// Time in which the process, or the machine, was stopped does not count: a
// function that was stopped with it gets the rest of its time, and one that
// went on gets its answer through before it is ended for being late.
#ifndef BYOSHIN_LOCAL_LAMBDA_REAL_TIMER_H_
#define BYOSHIN_LOCAL_LAMBDA_REAL_TIMER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/time/time.h"

namespace byoshin::local::lambda {

// Thread-safe.
class RealTimer {
 public:
  // Never 0.
  using Id = std::uint64_t;

  virtual ~RealTimer() = default;

  // Calls `expired` once, on a thread of the timer's, unless it is cancelled
  // before. It must not block.
  virtual Id After(absl::Duration duration, std::function<void()> expired) = 0;

  // One that has expired, or is about to, is not stopped any more.
  virtual void Cancel(Id id) = 0;
};

// A timer that is noticed later than this was stopped in between.
inline constexpr absl::Duration kSuspension = absl::Seconds(2);
// What is left to every timer afterwards, at least.
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
  // than its whole duration from now. Wants mutex_ held.
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

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_REAL_TIMER_H_
