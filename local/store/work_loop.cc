#include "local/store/work_loop.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/turn/turn.h"
#include "local/store/store.h"

namespace byoshin::local {

WorkLoop::WorkLoop(Store& store, time::Clock& clock, Options options)
    : store_(store),
      clock_(clock),
      options_(std::move(options)),
      wakeup_(clock.NewWakeup()),
      thread_([this] { Run(); }) {}

WorkLoop::~WorkLoop() { Stop(); }

void WorkLoop::Submit(Work work) {
  {
    const sync::MutexLock lock(mutex_);
    if (stopping_) return;
    submitted_.push_back(std::move(work));
    // The thread that runs looks again when it is done, and simulated time
    // stands still until then.
    if (running_) return;
  }
  // Also if other work is waiting: its submitter may not have woken the loop
  // yet. If the caller released simulated time now, before the loop is awake,
  // time would jump over this work.
  wakeup_->Wake();
}

void WorkLoop::SubmitOrRun(Work work) {
  if (store_.WaitsForDisk()) return Submit(std::move(work));
  // The loop's thread may be waiting, which does not count as being at work.
  time::Hold hold(clock_);
  const turn::Put put = turn::AtEnd(this, [this] { EndTurn(); });
  {
    const sync::MutexLock lock(mutex_);
    if (put == turn::Put::kAtEnd) turn_holds_.push_back(std::move(hold));
    if (stopping_) return;
    submitted_.push_back(std::move(work));
    if (put != turn::Put::kNowhere || running_) return;
    running_ = true;
  }
  RunOnCaller();
}

void WorkLoop::EndTurn() {
  std::optional<time::Hold> hold;
  {
    const sync::MutexLock lock(mutex_);
    hold = std::move(turn_holds_.back());
    turn_holds_.pop_back();
    if (running_ || submitted_.empty()) return;
    running_ = true;
  }
  RunOnCaller();
}

void WorkLoop::RunOnCaller() {
  RunBatch();
  const absl::Time deadline = NextDeadline();
  const sync::MutexLock lock(mutex_);
  running_ = false;
  // Work that has arrived meanwhile is left to the loop's thread.
  if (submitted_.empty() && deadline == awaited_ && !stopping_) return;
  // Under the lock: after it, the loop may be gone.
  wakeup_->Wake();
}

WorkLoop::TimerId WorkLoop::At(absl::Time time, Work work) {
  const TimerId id = ++last_timer_;
  timers_.emplace(std::pair(time, id), std::move(work));
  timer_times_.emplace(id, time);
  return id;
}

void WorkLoop::Cancel(TimerId timer) {
  const auto found = timer_times_.find(timer);
  if (found == timer_times_.end()) return;
  timers_.erase({found->second, timer});
  timer_times_.erase(found);
}

void WorkLoop::Stop() {
  {
    const sync::MutexLock lock(mutex_);
    stopping_ = true;
  }
  wakeup_->Wake();
  if (thread_.joinable()) thread_.join();
}

void WorkLoop::Run() {
  Next next = Next::kRun;
  while (next != Next::kEnd) {
    if (next == Next::kWait) wakeup_->WaitUntil(awaited());
    const bool run = BeginRun();
    while (run && RunBatch()) {
    }
    next = EndRun(run);
  }
  // On a simulated clock a loop that has ended is not at work any more.
  wakeup_->Cancel();
}

absl::Time WorkLoop::awaited() {
  const sync::MutexLock lock(mutex_);
  return awaited_;
}

bool WorkLoop::BeginRun() {
  const sync::MutexLock lock(mutex_);
  return !std::exchange(running_, true);
}

WorkLoop::Next WorkLoop::EndRun(bool ran) {
  const sync::MutexLock lock(mutex_);
  if (ran) running_ = false;
  if (running_) {
    // The thread that runs wakes this one if there is more to do.
    awaited_ = absl::InfiniteFuture();
    return Next::kWait;
  }
  if (!submitted_.empty()) return Next::kRun;
  if (stopping_) return Next::kEnd;
  awaited_ = NextDeadline();
  return Next::kWait;
}

bool WorkLoop::RunBatch() {
  TakeBatch();
  const bool timers_ran = RunDueTimers();
  if (batch_.empty() && !timers_ran) return false;
  for (Work& work : batch_) after_.push_back(work());

  const absl::Status committed = store_.Commit();
  if (!committed.ok() && options_.on_rollback) options_.on_rollback();
  for (AfterCommit& done : after_) {
    if (done) done(committed);
  }
  after_.clear();
  batch_.clear();
  return true;
}

void WorkLoop::TakeBatch() {
  const sync::MutexLock lock(mutex_);
  if (submitted_.size() <= options_.max_batch) {
    batch_.swap(submitted_);
    return;
  }
  const auto end = submitted_.begin() + options_.max_batch;
  std::move(submitted_.begin(), end, std::back_inserter(batch_));
  submitted_.erase(submitted_.begin(), end);
}

bool WorkLoop::RunDueTimers() {
  if (timers_.empty()) return false;
  const absl::Time now = clock_.Now();
  // A timer that is set for now by a timer runs in the next batch, so that
  // timers that renew themselves can't starve others.
  const TimerId newest = last_timer_;
  bool ran = false;
  while (!timers_.empty()) {
    const auto first = timers_.begin();
    const auto [time, id] = first->first;
    if (time > now || id > newest) break;
    const Work work = std::move(first->second);
    timer_times_.erase(id);
    timers_.erase(first);
    after_.push_back(work());
    ran = true;
  }
  return ran;
}

absl::Time WorkLoop::NextDeadline() const {
  return timers_.empty() ? absl::InfiniteFuture()
                         : timers_.begin()->first.first;
}

}  // namespace byoshin::local
