// Timers on the machine's monotonic clock, for limits on other processes, which
// run in real time even if a program simulates time.
//
//   SteadyTimer timer;
//   RealTimer::Id id = timer.After(absl::Seconds(30), [&] { Kill(); });
//   ...
//   timer.Cancel(id);
//
// Simulated time stands still while a child process runs, so a deadline on that
// clock would never come. On a real clock, setting the machine's time must not
// end a process.
//
// Time during which the process or the machine was stopped does not count,
// except for at most a second of each stop: a child that was stopped, too, gets
// the rest of its time, and one that kept running can deliver its answer before
// the timeout. Stops shorter than kSuspension count; those of kSuspension +
// kLookInterval and longer don't.
#ifndef BYOSHIN_CORE_TIME_REAL_TIMER_H_
#define BYOSHIN_CORE_TIME_REAL_TIMER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"

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

// The maximum interval between two looks at the clock while timers are pending.
inline constexpr absl::Duration kLookInterval = absl::Seconds(1);
// If it looks later than this, the process was stopped in between. A busy
// machine may well delay it by less.
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
  // Looks at the clock, and postpones all timers if this look is late.
  Instant Look() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Postpones every timer by `late`, but at most to its whole duration from
  // now.
  void PutOffAll(Instant now, Instant::duration late)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::function<Instant()> now_;
  sync::Mutex mutex_;
  sync::Condition changed_;
  Timers timers_ ABSL_GUARDED_BY(mutex_);
  std::map<Id, Instant> instants_ ABSL_GUARDED_BY(mutex_);
  // The last time that timers were pending and the clock was looked at.
  Instant looked_ ABSL_GUARDED_BY(mutex_);
  Id last_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_REAL_TIMER_H_
