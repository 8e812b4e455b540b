#include "core/time/simulated_clock.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe; one thread at a time waits. Shares the clock's mutex.
class SimulatedClock::SimulatedWakeup final : public Wakeup {
 public:
  explicit SimulatedWakeup(SimulatedClock& clock) : clock_(clock) {
    const sync::MutexLock lock(clock_.mutex_);
    clock_.BeginWorkLocked();
  }

  ~SimulatedWakeup() override {
    const sync::MutexLock lock(clock_.mutex_);
    assert(!place_.has_value() && "a Wakeup was destroyed during a wait");
    if (!cancelled_) clock_.EndWorkLocked();
  }

  WaitResult WaitUntil(absl::Time deadline) override {
    const sync::MutexLock lock(clock_.mutex_);
    assert(!place_.has_value() && "two threads wait on one Wakeup");
    if (cancelled_) return WaitResult::kCancelled;
    if (clock_.now_ >= deadline) return WaitResult::kDeadline;
    if (std::exchange(woken_, false)) return WaitResult::kWoken;
    place_ = clock_.waiting_.emplace(deadline, this);
    clock_.more_waiting_.NotifyAll();
    clock_.EndWorkLocked();
    while (place_.has_value()) released_.Wait(clock_.mutex_);
    return result_;
  }

  void Wake() override {
    const sync::MutexLock lock(clock_.mutex_);
    if (cancelled_) return;
    if (place_.has_value()) {
      ReleaseLocked(WaitResult::kWoken);
    } else {
      woken_ = true;
    }
  }

  void Cancel() override {
    const sync::MutexLock lock(clock_.mutex_);
    if (std::exchange(cancelled_, true)) return;
    if (place_.has_value()) ReleaseLocked(WaitResult::kCancelled);
    // Its thread may continue with other things or have ended: time no longer
    // waits for it.
    clock_.EndWorkLocked();
  }

  // Ends the current wait. The Wakeup counts as work from now on, not only once
  // its thread runs.
  void ReleaseLocked(WaitResult result)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(clock_.mutex_) {
    clock_.waiting_.erase(*place_);
    place_.reset();
    result_ = result;
    clock_.BeginWorkLocked();
    released_.NotifyOne();
  }

  // For the clock, which holds its own mutex.
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK(clock_.mutex_) {}

 private:
  SimulatedClock& clock_;
  sync::Condition released_;
  // Set during a wait.
  std::optional<Waiting::iterator> place_ ABSL_GUARDED_BY(clock_.mutex_);
  WaitResult result_ ABSL_GUARDED_BY(clock_.mutex_) = WaitResult::kDeadline;
  bool woken_ ABSL_GUARDED_BY(clock_.mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(clock_.mutex_) = false;
};

absl::Time SimulatedClock::Now() const {
  const sync::MutexLock lock(mutex_);
  return now_;
}

std::unique_ptr<Wakeup> SimulatedClock::NewWakeup() {
  return std::make_unique<SimulatedWakeup>(*this);
}

void SimulatedClock::AdvanceTo(absl::Time time) {
  const sync::MutexLock lock(mutex_);
  AdvanceToLocked(time);
}

void SimulatedClock::AdvanceBy(absl::Duration duration) {
  const sync::MutexLock lock(mutex_);
  AdvanceToLocked(now_ + duration);
}

bool SimulatedClock::AdvanceToNextDeadline() {
  const sync::MutexLock lock(mutex_);
  const absl::Time deadline = EarliestDeadlineLocked();
  if (deadline == absl::InfiniteFuture()) return false;
  AdvanceToLocked(deadline);
  return true;
}

void SimulatedClock::RunUntil(absl::Time end) {
  const sync::MutexLock lock(mutex_);
  while (true) {
    AwaitIdleLocked();
    if (now_ >= end) return;
    AdvanceToLocked(std::min(EarliestDeadlineLocked(), end));
  }
}

int SimulatedClock::waiters() const {
  const sync::MutexLock lock(mutex_);
  return static_cast<int>(waiting_.size());
}

absl::Time SimulatedClock::earliest_deadline() const {
  const sync::MutexLock lock(mutex_);
  return EarliestDeadlineLocked();
}

bool SimulatedClock::idle() const {
  const sync::MutexLock lock(mutex_);
  return working_ == 0;
}

void SimulatedClock::AwaitWaiters(int count) {
  const sync::MutexLock lock(mutex_);
  while (static_cast<int>(waiting_.size()) < count) more_waiting_.Wait(mutex_);
}

void SimulatedClock::AwaitIdle() {
  const sync::MutexLock lock(mutex_);
  AwaitIdleLocked();
}

void SimulatedClock::BeginHold() {
  const sync::MutexLock lock(mutex_);
  BeginWorkLocked();
}

void SimulatedClock::EndHold() {
  const sync::MutexLock lock(mutex_);
  EndWorkLocked();
}

void SimulatedClock::AwaitIdleLocked() {
  while (working_ != 0) idle_.Wait(mutex_);
}

void SimulatedClock::AdvanceToLocked(absl::Time time) {
  now_ = std::max(now_, time);
  while (!waiting_.empty() && waiting_.begin()->first <= now_) {
    SimulatedWakeup& wakeup = *waiting_.begin()->second;
    wakeup.AssertHeld();
    wakeup.ReleaseLocked(WaitResult::kDeadline);
  }
}

absl::Time SimulatedClock::EarliestDeadlineLocked() const {
  return waiting_.empty() ? absl::InfiniteFuture() : waiting_.begin()->first;
}

void SimulatedClock::BeginWorkLocked() { ++working_; }

void SimulatedClock::EndWorkLocked() {
  // Work starts and ends all the time: a waiter for the end of all work must
  // not wake up for each.
  if (--working_ == 0) idle_.NotifyAll();
}

}  // namespace byoshin::time
