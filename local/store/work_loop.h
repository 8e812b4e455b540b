// The one thread that a service's state belongs to. Requests from many
// connections become work on it; work that waits while a commit is under way
// shares the next one (group commit), and nobody is answered before the commit.
//
//   WorkLoop loop(store, clock, {.on_rollback = [&] { LoadFromStore(); }});
//
//   void Handle(Call call, AnswerFunction answer) {      // on any thread
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
// Timers run on the same thread, in the same way: a message that becomes due, a
// long poll that ends.
#ifndef BYOSHIN_LOCAL_STORE_WORK_LOOP_H_
#define BYOSHIN_LOCAL_STORE_WORK_LOOP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

// What is left to do once the changes are durable, or have failed: to answer.
// Runs on the loop's thread; must not change the store, must not block. May be
// null.
using AfterCommit = std::function<void(const absl::Status& committed)>;

// Thread-safe, except where it says otherwise.
class WorkLoop {
 public:
  using Work = std::function<AfterCommit()>;
  // Identifies a timer; never 0.
  using TimerId = std::uint64_t;

  struct Options {
    // Called on the loop's thread after a commit has failed and before the
    // AfterCommits hear of it: what is kept in memory beside the store must be
    // read from it again. The store holds what the last commit left.
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

  // Runs `work` soon, in the order of submission. Once this returns the loop is
  // awake: simulated time stands still until the work is done. After Stop() it
  // is dropped, unrun.
  void Submit(Work work);

  // Only from the loop's thread: from work, timers, AfterCommits and
  // on_rollback. Runs `work` once the clock reads `time`.
  TimerId At(absl::Time time, Work work);
  // A timer that has run, or was cancelled, is ignored.
  void Cancel(TimerId timer);

  // Finishes what was submitted before, drops the timers, ends the thread.
  // Calling it again is harmless; calling it from the loop's thread is a
  // deadlock.
  void Stop();

 private:
  using Timers = std::map<std::pair<absl::Time, TimerId>, Work>;

  void Run();
  // Runs what is due and commits. Returns false if there was nothing.
  bool RunBatch();
  // Returns false if none was due.
  bool RunDueTimers(std::vector<AfterCommit>& after);
  absl::Time NextDeadline() const;

  Store& store_;
  time::Clock& clock_;
  const Options options_;
  std::unique_ptr<time::Wakeup> wakeup_;

  // The loop's thread's own.
  Timers timers_;
  std::map<TimerId, absl::Time> timer_times_;
  TimerId last_timer_ = 0;

  std::mutex mutex_;
  std::vector<Work> submitted_;  // guarded by mutex_
  bool stopping_ = false;        // guarded by mutex_

  std::thread thread_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_WORK_LOOP_H_
