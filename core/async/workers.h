// Threads for work that blocks or takes long, so that other threads don't have
// to wait for it.
//
//   Workers workers(/*threads=*/2);
//   workers.Do([answer] { answer(HashPassword(...)); });
//   workers.Finish();
#ifndef BYOSHIN_CORE_ASYNC_WORKERS_H_
#define BYOSHIN_CORE_ASYNC_WORKERS_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::async {

// Thread-safe, except that one thread ends it.
class Workers {
 public:
  explicit Workers(int threads);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  // Calls Finish().
  ~Workers() { Finish(); }

  // Does `work` soon, on one of the threads. Has no effect once it has ended.
  void Do(std::function<void()> work);

  // Either ends the threads when the work in progress is done; Finish() first
  // does all that has been added, Drop() does none of it.
  void Finish();
  void Drop();

 private:
  void Join();
  void Run();

  sync::Mutex mutex_;
  sync::Condition changed_;
  std::deque<std::function<void()>> work_ ABSL_GUARDED_BY(mutex_);
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace byoshin::async

#endif  // BYOSHIN_CORE_ASYNC_WORKERS_H_
