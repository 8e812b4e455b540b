// A clock that moves only when told to: for tests, and for running a day of the
// whole system in the time its work takes.
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
// No test needs to sleep. A Wakeup stops counting as waiting in the very call
// that ends its wait, Wake() or AdvanceTo(), not when its thread gets to run;
// so after that call AwaitIdle() and AwaitWaiters() wait for the thread to do
// what it woke up for and come back, and time never jumps over work.
#ifndef BYOSHIN_CORE_TIME_SIMULATED_CLOCK_H_
#define BYOSHIN_CORE_TIME_SIMULATED_CLOCK_H_

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe.
class SimulatedClock final : public Clock {
 public:
  explicit SimulatedClock(absl::Time start) : now_(start) {}

  absl::Time Now() const override;
  std::unique_ptr<Wakeup> NewWakeup() override;

  // Sets the time, and ends every wait whose deadline it reaches. Deadlines in
  // between are not stopped at: their waiters find themselves late, as on a
  // real machine that was suspended. A time before Now() changes nothing:
  // simulated time does not go back.
  void AdvanceTo(absl::Time time);
  void AdvanceBy(absl::Duration duration);

  // Advances to the earliest deadline that somebody waits for. Returns false,
  // and leaves the time as it is, if there is none.
  bool AdvanceToNextDeadline();

  // Advances to `end` from deadline to deadline, each time when all work is
  // done; returns when the work due at `end` is done too.
  void RunUntil(absl::Time end);

  // How many Wakeups are being waited on.
  int waiters() const;

  // The earliest deadline among them; absl::InfiniteFuture() if there is none.
  absl::Time earliest_deadline() const;

  // Whether no work is under way, so that RunUntil() would advance now.
  bool idle() const;

  // Blocks until at least `count` Wakeups are being waited on.
  void AwaitWaiters(int count);

  // Blocks until no work is under way: all Wakeups are being waited on or are
  // cancelled, and there is no Hold.
  void AwaitIdle();

 private:
  class SimulatedWakeup;
  using Waiting = std::multimap<absl::Time, SimulatedWakeup*>;

  void BeginHold() override;
  void EndHold() override;

  // These want `mutex_` held.
  void AdvanceToLocked(absl::Time time);
  absl::Time EarliestDeadlineLocked() const;
  void BeginWorkLocked();
  void EndWorkLocked();

  // Guards everything below, and the state of all Wakeups: what they do is
  // counted here in the same step.
  mutable std::mutex mutex_;
  std::condition_variable idle_;          // no more at work
  std::condition_variable more_waiting_;  // more Wakeups are waited on
  absl::Time now_;
  Waiting waiting_;  // by deadline
  int working_ = 0;  // Wakeups neither waited on nor cancelled, and Holds
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_SIMULATED_CLOCK_H_
