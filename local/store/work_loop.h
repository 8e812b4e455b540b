// Serializes the work of a service. Requests from many connections become work;
// work that arrives during a commit shares the next one (group commit), and
// requests are answered after the commit.
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
// Work that rejects a request must do so before its first change to the store:
// the transaction is shared, so the changes of one piece of work can't be
// rolled back alone.
//
// Timers run in the same way: a message that becomes due, a long poll that
// ends.
//
// The loop has a thread. SubmitOrRun() runs short work on the caller's thread
// if the loop is idle, which saves waking two threads.
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

// Called once the changes are durable, or have failed, to answer the request.
// Runs like work; must not change the store or block. May be null.
using AfterCommit = std::function<void(const absl::Status& committed)>;

// Thread-safe, except where it says otherwise.
class WorkLoop {
 public:
  using Work = std::function<AfterCommit()>;
  // Identifies a timer; never 0.
  using TimerId = std::uint64_t;

  struct Options {
    // Called like work after a commit has failed, before the AfterCommits:
    // state that is cached in memory must be read from the store again, which
    // has been rolled back.
    std::function<void()> on_rollback = nullptr;
    // The maximum amount of work that shares a commit, which bounds how long
    // the first of it waits.
    std::size_t max_batch = 1000;
  };

  // Both must outlive the loop.
  WorkLoop(Store& store, time::Clock& clock, Options options);
  // Calls Stop().
  ~WorkLoop();

  WorkLoop(const WorkLoop&) = delete;
  WorkLoop& operator=(const WorkLoop&) = delete;

  // Runs `work` soon on the loop's thread, or on a thread that is in
  // SubmitOrRun(), in the order of submission. Once this returns, simulated
  // time stands still until the work is done. After Stop(), it is dropped.
  void Submit(Work work);

  // The same, but without the loop's thread if possible: runs `work`, commits
  // and runs its AfterCommit on the calling thread, at the end of its turn
  // (core/turn/turn.h) together with other work submitted by then, or before it
  // returns if the thread has no turns. A store whose commits wait for the disk
  // is left to the loop's thread. For short work, and for callers that hold no
  // lock which any work or AfterCommit takes. An event loop that gives threads
  // turns ends before this loop.
  void SubmitOrRun(Work work);

  // Only from work, timers, AfterCommits and on_rollback. Runs `work` once the
  // clock reads `time`.
  TimerId At(absl::Time time, Work work);
  // A timer that has run, or was cancelled, is ignored.
  void Cancel(TimerId timer);

  // Finishes the work submitted so far, drops the timers and ends the thread.
  // Calling it again has no effect; calling it from work deadlocks.
  void Stop();

 private:
  using Timers = std::map<std::pair<absl::Time, TimerId>, Work>;

  void Run();
  // For the loop's thread: false if another thread runs.
  bool BeginRun();
  // What the loop's thread does next.
  enum class Next { kRun, kWait, kEnd };
  Next EndRun(bool ran);
  absl::Time awaited();

  // Called at the end of a turn of a caller's thread.
  void EndTurn();

  // Only for the thread that runs.
  void RunOnCaller();
  // Runs what is due and commits. Returns false if nothing was due.
  bool RunBatch();
  void TakeBatch();
  // Returns false if none was due.
  bool RunDueTimers();
  absl::Time NextDeadline() const;

  Store& store_;
  time::Clock& clock_;
  const Options options_;
  std::unique_ptr<time::Wakeup> wakeup_;

  // The thread that has set running_ runs, and owns these.
  Timers timers_;
  std::map<TimerId, absl::Time> timer_times_;
  TimerId last_timer_ = 0;
  std::vector<Work> batch_;
  std::vector<AfterCommit> after_;

  sync::Mutex mutex_;
  std::vector<Work> submitted_ ABSL_GUARDED_BY(mutex_);
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // One for each thread that has work to run at the end of its turn.
  std::vector<time::Hold> turn_holds_ ABSL_GUARDED_BY(mutex_);
  // The time that the loop's thread waits for, or last waited for.
  absl::Time awaited_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();

  std::thread thread_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_WORK_LOOP_H_
