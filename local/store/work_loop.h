// What a service's state belongs to: it does one thing at a time. Requests from
// many connections become its work; work that waits while a commit is under way
// shares the next one (group commit), and nobody is answered before the commit.
//
//   WorkLoop loop(store, clock, {.on_rollback = [&] { LoadFromStore(); }});
//
//   void Handle(Call call, AnswerFunction answer) {        // on any thread
//     loop.Submit([this, call, answer]() -> AfterCommit {  // on the loop's
//       Answer result = Put(call);                         // changes the store
//       return [answer, result](const absl::Status& committed) {
//         answer(committed.ok() ? result : InternalError());
//       };
//     });
//   }
//
// Work that refuses a request must do so before its first change to the store:
// the transaction is shared, so what one piece of work has changed can't be
// taken back alone.
//
// Timers run in the same way: a message that becomes due, a long poll that
// ends.
//
// The loop has a thread. Short work can do without it: SubmitOrRun() runs it on
// the caller's thread if nobody else runs, which saves waking the loop's
// thread, and waking the caller's again for the answer.
#ifndef BYOSHIN_LOCAL_STORE_WORK_LOOP_H_
#define BYOSHIN_LOCAL_STORE_WORK_LOOP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/store/store.h"

namespace byoshin::local {

// What is left to do once the changes are durable, or have failed: to answer.
// Runs as work does; must not change the store, must not block. May be null.
using AfterCommit = std::function<void(const absl::Status& committed)>;

// Thread-safe, except where it says otherwise.
class WorkLoop {
 public:
  using Work = std::function<AfterCommit()>;
  // Identifies a timer; never 0.
  using TimerId = std::uint64_t;

  struct Options {
    // Called as work is after a commit has failed and before the AfterCommits
    // hear of it: what is kept in memory beside the store must be read from it
    // again. The store holds what the last commit left.
    std::function<void()> on_rollback = nullptr;
    // At most so much work shares a commit, so that the first of it does not
    // wait for ever.
    std::size_t max_batch = 1000;
  };

  // Both outlive the loop.
  WorkLoop(Store& store, time::Clock& clock, Options options);
  // As Stop().
  ~WorkLoop();

  WorkLoop(const WorkLoop&) = delete;
  WorkLoop& operator=(const WorkLoop&) = delete;

  // Runs `work` soon on the loop's thread, or on that of who is in
  // SubmitOrRun(), in the order of submission. Once this returns, simulated
  // time stands still until the work is done. After Stop() it is dropped,
  // unrun.
  void Submit(Work work);

  // The same, but does without the loop's thread, if it can: runs `work`,
  // commits and runs its AfterCommit on the calling thread, at the end of its
  // turn (core/turn/turn.h) together with what else has come by then, or before
  // it returns if the thread has no turns. A store whose commits wait for the
  // disk is left to the loop's thread. For short work, and for callers that
  // hold no lock which any work or AfterCommit takes. An event loop that gives
  // threads turns ends before this loop.
  void SubmitOrRun(Work work);

  // Only from work, timers, AfterCommits and on_rollback. Runs `work` once the
  // clock reads `time`.
  TimerId At(absl::Time time, Work work);
  // A timer that has run, or was cancelled, is ignored.
  void Cancel(TimerId timer);

  // Finishes what was submitted before, drops the timers, ends the thread.
  // Calling it again is harmless; calling it from work is a deadlock.
  void Stop();

 private:
  using Timers = std::map<std::pair<absl::Time, TimerId>, Work>;

  void Run();
  // For the loop's thread: false if another runs.
  bool BeginRun();
  // What it does next, once it has run what there was, or can't run.
  enum class Next { kRun, kWait, kEnd };
  Next EndRun(bool ran);
  absl::Time awaited();

  // At the end of a turn of a caller's thread.
  void EndTurn();

  // Only for whoever runs.
  void RunOnCaller();
  // Runs what is due and commits. Returns false if there was nothing.
  bool RunBatch();
  void TakeBatch();
  // Returns false if none was due.
  bool RunDueTimers();
  absl::Time NextDeadline() const;

  Store& store_;
  time::Clock& clock_;
  const Options options_;
  std::unique_ptr<time::Wakeup> wakeup_;

  // Whoever has set running_ is who runs, and owns these.
  Timers timers_;
  std::map<TimerId, absl::Time> timer_times_;
  TimerId last_timer_ = 0;
  std::vector<Work> batch_;
  std::vector<AfterCommit> after_;

  sync::Mutex mutex_;
  std::vector<Work> submitted_ ABSL_GUARDED_BY(mutex_);
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // One for each thread at the end of whose turn there is something to run.
  std::vector<time::Hold> turn_holds_ ABSL_GUARDED_BY(mutex_);
  // What the loop's thread waits for, or has waited for last.
  absl::Time awaited_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();

  std::thread thread_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_WORK_LOOP_H_
