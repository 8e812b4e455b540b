#include "local/store/work_loop.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
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
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    submitted_.push_back(std::move(work));
  }
  // Also where other work waits already: who submitted that may be about to
  // wake the loop, and no more. A caller that lets go of simulated time now,
  // before the loop is awake, would let it jump over this work.
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
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wakeup_->Wake();
  if (thread_.joinable()) thread_.join();
}

void WorkLoop::Run() {
  while (true) {
    if (RunBatch()) continue;
    {
      std::lock_guard lock(mutex_);
      if (stopping_ && submitted_.empty()) break;
      if (!submitted_.empty()) continue;
    }
    wakeup_->WaitUntil(NextDeadline());
  }
  // On a simulated clock a loop that has ended is not at work any more.
  wakeup_->Cancel();
}

bool WorkLoop::RunBatch() {
  std::vector<Work> batch;
  {
    std::lock_guard lock(mutex_);
    if (submitted_.size() <= options_.max_batch) {
      batch.swap(submitted_);
    } else {
      const auto end = submitted_.begin() + options_.max_batch;
      std::move(submitted_.begin(), end, std::back_inserter(batch));
      submitted_.erase(submitted_.begin(), end);
    }
  }
  std::vector<AfterCommit> after;
  after.reserve(batch.size());
  const bool timers_ran = RunDueTimers(after);
  if (batch.empty() && !timers_ran) return false;
  for (Work& work : batch) after.push_back(work());

  const absl::Status committed = store_.Commit();
  if (!committed.ok() && options_.on_rollback) options_.on_rollback();
  for (AfterCommit& done : after) {
    if (done) done(committed);
  }
  return true;
}

bool WorkLoop::RunDueTimers(std::vector<AfterCommit>& after) {
  if (timers_.empty()) return false;
  const absl::Time now = clock_.Now();
  // One that a timer sets for now has its turn in the next batch, so that
  // timers that renew themselves can't keep the others waiting.
  const TimerId newest = last_timer_;
  bool ran = false;
  while (!timers_.empty()) {
    const auto first = timers_.begin();
    const auto [time, id] = first->first;
    if (time > now || id > newest) break;
    const Work work = std::move(first->second);
    timer_times_.erase(id);
    timers_.erase(first);
    after.push_back(work());
    ran = true;
  }
  return ran;
}

absl::Time WorkLoop::NextDeadline() const {
  return timers_.empty() ? absl::InfiniteFuture()
                         : timers_.begin()->first.first;
}

}  // namespace byoshin::local
