// Where the time comes from, and how to wait for it.
//
// Code that reads the time or waits takes a Clock, so that it runs unchanged on
// the system's clock and on a simulated one, which a test or a whole simulated
// cloud moves as fast as the work allows.
//
//   class Deliverer {
//    public:
//     explicit Deliverer(time::Clock& clock)
//         : clock_(clock), wakeup_(clock.NewWakeup()), thread_([this] {
//             while (wakeup_->WaitUntil(NextDue()) != WaitResult::kCancelled) {
//               DeliverWhatIsDue(clock_.Now());
//             }
//           }) {}
//     ~Deliverer() {
//       wakeup_->Cancel();
//       thread_.join();
//     }
//     void Add(Message message) {
//       Store(std::move(message));
//       wakeup_->Wake();  // it may be due before the one waited for
//     }
//     ...
//   };
//
// Simulated time stands still while work is under way and jumps to the next
// deadline when there is none. What counts as work: a Wakeup that exists and is
// not being waited on, and a Hold.
#ifndef BYOSHIN_CORE_TIME_CLOCK_H_
#define BYOSHIN_CORE_TIME_CLOCK_H_

#include <memory>
#include <utility>

#include "absl/time/time.h"

namespace byoshin::time {

enum class WaitResult {
  kDeadline,   // the clock has reached the deadline
  kWoken,      // Wake() was called
  kCancelled,  // Cancel() was called, now or earlier
};

// What one thread waits on, for a time to come or for another thread to wake
// it. Thread-safe, but only one thread at a time may be in WaitUntil().
//
// Whoever makes a Wakeup is taken to be at work until it waits or cancels: on a
// simulated clock no time passes meanwhile. So make it before starting the
// thread that waits on it, and time cannot run away before the thread is there.
class Wakeup {
 public:
  Wakeup() = default;
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;
  virtual ~Wakeup() = default;

  // Blocks until the clock reads `deadline` or later, Wake() or Cancel() is
  // called; absl::InfiniteFuture() waits for the latter two only. If several
  // hold at once, cancellation goes before the deadline, and the deadline
  // before a wake-up, which is then kept: neither shutting down nor what is due
  // can be held up by being woken too often.
  virtual WaitResult WaitUntil(absl::Time deadline) = 0;

  // Ends the wait under way, or the next one if there is none. Waking several
  // times before the waiter comes back is the same as waking once.
  virtual void Wake() = 0;

  // Ends the wait under way and every later one.
  virtual void Cancel() = 0;
};

// A source of time. Thread-safe. Outlives every Wakeup and Hold on it.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual absl::Time Now() const = 0;

  virtual std::unique_ptr<Wakeup> NewWakeup() = 0;

  // For a thread that nobody needs to wake: a pause before a retry, say.
  void SleepUntil(absl::Time deadline) { NewWakeup()->WaitUntil(deadline); }

 private:
  friend class Hold;

  // Only time that jumps has to know about work under way.
  virtual void BeginHold() {}
  virtual void EndHold() {}
};

// Keeps simulated time from jumping while work is under way that no Wakeup
// stands for: a request being answered, a process running. Costs nothing on a
// real clock. Not thread-safe, but may be moved between threads.
//
//   void Invoke(Request request) {
//     time::Hold hold(clock_);  // until the answer is there
//     ...
//   }
class Hold {
 public:
  explicit Hold(Clock& clock) : clock_(&clock) { clock_->BeginHold(); }
  Hold(Hold&& other) noexcept : clock_(std::exchange(other.clock_, nullptr)) {}
  Hold& operator=(Hold&& other) noexcept {
    if (this != &other) {
      End();
      clock_ = std::exchange(other.clock_, nullptr);
    }
    return *this;
  }
  ~Hold() { End(); }

  // For work that is done before its scope is.
  void End() {
    if (clock_ != nullptr) std::exchange(clock_, nullptr)->EndHold();
  }

 private:
  Clock* clock_;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_CLOCK_H_
