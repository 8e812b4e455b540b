#include "core/time/simulated_clock.h"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe; one thread at a time waits. Shares the clock's mutex.
class SimulatedClock::SimulatedWakeup final : public Wakeup {
 public:
  explicit SimulatedWakeup(SimulatedClock& clock) : clock_(clock) {
    const std::lock_guard<std::mutex> lock(clock_.mutex_);
    clock_.BeginWorkLocked();
  }

  ~SimulatedWakeup() override {
    const std::lock_guard<std::mutex> lock(clock_.mutex_);
    assert(!place_.has_value() && "a Wakeup was destroyed during a wait");
    if (!cancelled_) clock_.EndWorkLocked();
  }

  WaitResult WaitUntil(absl::Time deadline) override {
    std::unique_lock<std::mutex> lock(clock_.mutex_);
    assert(!place_.has_value() && "two threads wait on one Wakeup");
    if (cancelled_) return WaitResult::kCancelled;
    if (clock_.now_ >= deadline) return WaitResult::kDeadline;
    if (std::exchange(woken_, false)) return WaitResult::kWoken;
    place_ = clock_.waiting_.emplace(deadline, this);
    clock_.more_waiting_.notify_all();
    clock_.EndWorkLocked();
    released_.wait(lock, [this] { return !place_.has_value(); });
    return result_;
  }

  void Wake() override {
    const std::lock_guard<std::mutex> lock(clock_.mutex_);
    if (cancelled_) return;
    if (place_.has_value()) {
      ReleaseLocked(WaitResult::kWoken);
    } else {
      woken_ = true;
    }
  }

  void Cancel() override {
    const std::lock_guard<std::mutex> lock(clock_.mutex_);
    if (std::exchange(cancelled_, true)) return;
    if (place_.has_value()) ReleaseLocked(WaitResult::kCancelled);
    // Its thread may live on for other purposes, or have ended: time no longer
    // waits for it.
    clock_.EndWorkLocked();
  }

  // Ends the wait under way. From here on, not from when its thread gets to
  // run, the Wakeup counts as being at work again.
  void ReleaseLocked(WaitResult result) {
    clock_.waiting_.erase(*place_);
    place_.reset();
    result_ = result;
    clock_.BeginWorkLocked();
    released_.notify_one();
  }

 private:
  SimulatedClock& clock_;
  std::condition_variable released_;
  std::optional<Waiting::iterator> place_;  // set while a wait is under way
  WaitResult result_ = WaitResult::kDeadline;
  bool woken_ = false;
  bool cancelled_ = false;
};

absl::Time SimulatedClock::Now() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return now_;
}

std::unique_ptr<Wakeup> SimulatedClock::NewWakeup() {
  return std::make_unique<SimulatedWakeup>(*this);
}

void SimulatedClock::AdvanceTo(absl::Time time) {
  const std::lock_guard<std::mutex> lock(mutex_);
  AdvanceToLocked(time);
}

void SimulatedClock::AdvanceBy(absl::Duration duration) {
  const std::lock_guard<std::mutex> lock(mutex_);
  AdvanceToLocked(now_ + duration);
}

bool SimulatedClock::AdvanceToNextDeadline() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const absl::Time deadline = EarliestDeadlineLocked();
  if (deadline == absl::InfiniteFuture()) return false;
  AdvanceToLocked(deadline);
  return true;
}

void SimulatedClock::RunUntil(absl::Time end) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    idle_.wait(lock, [this] { return working_ == 0; });
    if (now_ >= end) return;
    AdvanceToLocked(std::min(EarliestDeadlineLocked(), end));
  }
}

int SimulatedClock::waiters() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int>(waiting_.size());
}

absl::Time SimulatedClock::earliest_deadline() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return EarliestDeadlineLocked();
}

bool SimulatedClock::idle() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return working_ == 0;
}

void SimulatedClock::AwaitWaiters(int count) {
  std::unique_lock<std::mutex> lock(mutex_);
  more_waiting_.wait(lock, [this, count] {
    return static_cast<int>(waiting_.size()) >= count;
  });
}

void SimulatedClock::AwaitIdle() {
  std::unique_lock<std::mutex> lock(mutex_);
  idle_.wait(lock, [this] { return working_ == 0; });
}

void SimulatedClock::BeginHold() {
  const std::lock_guard<std::mutex> lock(mutex_);
  BeginWorkLocked();
}

void SimulatedClock::EndHold() {
  const std::lock_guard<std::mutex> lock(mutex_);
  EndWorkLocked();
}

void SimulatedClock::AdvanceToLocked(absl::Time time) {
  now_ = std::max(now_, time);
  while (!waiting_.empty() && waiting_.begin()->first <= now_) {
    waiting_.begin()->second->ReleaseLocked(WaitResult::kDeadline);
  }
}

absl::Time SimulatedClock::EarliestDeadlineLocked() const {
  return waiting_.empty() ? absl::InfiniteFuture() : waiting_.begin()->first;
}

void SimulatedClock::BeginWorkLocked() { ++working_; }

void SimulatedClock::EndWorkLocked() {
  // Work begins and ends all the time: whoever waits for the last of it to end
  // is not to wake up for each.
  if (--working_ == 0) idle_.notify_all();
}

}  // namespace byoshin::time
