// A source of time that can be simulated, and waiting for it.
//
// Code that reads the time or waits takes a Clock, so that it runs unchanged on
// the system's clock and on a simulated one, which a test or a simulated cloud
// advances as fast as the work allows.
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
// Simulated time stands still while there is work, and jumps to the next
// deadline when there is none. Work is a Wakeup that is not being waited on,
// and a Hold.
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

// A thread waits on a Wakeup for a time, or until another thread wakes it.
// Thread-safe, but only one thread at a time may be in WaitUntil().
//
// A new Wakeup counts as work until it is waited on or cancelled: no simulated
// time passes meanwhile. So create it before the thread that waits on it is
// started, and time can't jump before the thread runs.
class Wakeup {
 public:
  Wakeup() = default;
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;
  virtual ~Wakeup() = default;

  // Blocks until the clock reads `deadline` or later, Wake() or Cancel() is
  // called; absl::InfiniteFuture() waits for the latter two only. If several
  // apply, cancellation takes precedence over the deadline, and the deadline
  // over a wake-up, which is then kept: frequent wake-ups can't delay a
  // shutdown or due work.
  virtual WaitResult WaitUntil(absl::Time deadline) = 0;

  // Ends the current wait, or the next one if there is none. Several calls
  // before the waiter returns count as one.
  virtual void Wake() = 0;

  // Ends the current wait and every later one.
  virtual void Cancel() = 0;
};

// A source of time. Thread-safe. Must outlive every Wakeup and Hold on it.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual absl::Time Now() const = 0;

  virtual std::unique_ptr<Wakeup> NewWakeup() = 0;

  // For a thread that need not be woken, for example a pause before a retry.
  void SleepUntil(absl::Time deadline) { NewWakeup()->WaitUntil(deadline); }

 private:
  friend class Hold;

  // Only simulated clocks need to know about work.
  virtual void BeginHold() {}
  virtual void EndHold() {}
};

// Keeps simulated time from jumping during work that has no Wakeup: a request
// in progress, a running process. Costs nothing on a real clock. Not
// thread-safe, but may be moved between threads.
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

  // For work that ends before its scope.
  void End() {
    if (clock_ != nullptr) std::exchange(clock_, nullptr)->EndHold();
  }

 private:
  Clock* clock_;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_CLOCK_H_
