// Threads for calls that block: connecting, and canceling a statement.
#ifndef BYOSHIN_LOCAL_RDSDATA_HELPERS_H_
#define BYOSHIN_LOCAL_RDSDATA_HELPERS_H_

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::local::rdsdata {

// Thread-safe.
class Helpers {
 public:
  explicit Helpers(int threads);
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  // Calls Stop().
  ~Helpers() { Stop(); }

  // Does `work` soon, on one of the threads.
  void Do(std::function<void()> work);

  // Waits for the work under way, and drops the rest and all that is added
  // later.
  void Stop();

 private:
  void Run();

  sync::Mutex mutex_;
  sync::Condition changed_;
  std::deque<std::function<void()>> work_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_HELPERS_H_
