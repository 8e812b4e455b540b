// A clock that advances only on request: for tests, and for simulating a day of
// the whole system in the time that its work takes.
//
//   time::SimulatedClock clock(start);
//   Deliverer deliverer(clock);     // a thread that waits on the clock
//   deliverer.Add(MessageDueAt(start + absl::Seconds(5)));
//
//   clock.AwaitIdle();              // the thread is waiting
//   clock.AdvanceToNextDeadline();  // five seconds later, at once
//   clock.AwaitIdle();              // the message has been delivered
//
//   clock.RunUntil(start + absl::Hours(24));  // all of that, for a day
//
// No test needs to sleep. A Wakeup counts as work from the call that ends its
// wait, Wake() or AdvanceTo(), not only once its thread runs; so after that
// call, AwaitIdle() and AwaitWaiters() wait until the thread has done its work,
// and time never jumps over it.
#ifndef BYOSHIN_CORE_TIME_SIMULATED_CLOCK_H_
#define BYOSHIN_CORE_TIME_SIMULATED_CLOCK_H_

#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe.
class SimulatedClock final : public Clock {
 public:
  explicit SimulatedClock(absl::Time start) : now_(start) {}

  absl::Time Now() const override;
  std::unique_ptr<Wakeup> NewWakeup() override;

  // Sets the time, and ends every wait whose deadline it reaches. It does not
  // stop at deadlines in between: their waiters are late, as on a real machine
  // that was suspended. A time before Now() has no effect: simulated time does
  // not go back.
  void AdvanceTo(absl::Time time);
  void AdvanceBy(absl::Duration duration);

  // Advances to the earliest deadline of a wait. Returns false, and does not
  // change the time, if there is none.
  bool AdvanceToNextDeadline();

  // Advances to `end` from deadline to deadline, each time when all work is
  // done; returns when the work due at `end` is done too.
  void RunUntil(absl::Time end);

  // The number of Wakeups that are being waited on.
  int waiters() const;

  // The earliest deadline among them; absl::InfiniteFuture() if there is none.
  absl::Time earliest_deadline() const;

  // Whether there is no work, so that RunUntil() would advance now.
  bool idle() const;

  // Blocks until at least `count` Wakeups are being waited on.
  void AwaitWaiters(int count);

  // Blocks until there is no work: all Wakeups are being waited on or are
  // cancelled, and there is no Hold.
  void AwaitIdle();

 private:
  class SimulatedWakeup;
  using Waiting = std::multimap<absl::Time, SimulatedWakeup*>;

  void BeginHold() override;
  void EndHold() override;

  void AwaitIdleLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AdvanceToLocked(absl::Time time) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Time EarliestDeadlineLocked() const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginWorkLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndWorkLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Also guards the state of all Wakeups: what they do is counted here in the
  // same step.
  mutable sync::Mutex mutex_;
  sync::Condition idle_;          // no more at work
  sync::Condition more_waiting_;  // more Wakeups are waited on
  absl::Time now_ ABSL_GUARDED_BY(mutex_);
  Waiting waiting_ ABSL_GUARDED_BY(mutex_);  // by deadline
  // Wakeups neither waited on nor cancelled, and Holds.
  int working_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_SIMULATED_CLOCK_H_
