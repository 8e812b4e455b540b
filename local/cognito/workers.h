// Threads for work that takes long, such as hashing passwords.
//
//   Workers workers(/*threads=*/2);
//   workers.Submit([answer] { answer(HashPassword(...)); });
#ifndef BYOSHIN_LOCAL_COGNITO_WORKERS_H_
#define BYOSHIN_LOCAL_COGNITO_WORKERS_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::local::cognito {

// Thread-safe.
class Workers {
 public:
  explicit Workers(int threads);
  // Finishes what was submitted.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void Submit(std::function<void()> work);

 private:
  void Run();

  sync::Mutex mutex_;
  sync::Condition changed_;
  std::deque<std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_WORKERS_H_
