// Collects what an http::Server reports, for tests to wait for.
//
//   http::testing::ServedLog log;
//   http::ServerOptions options;
//   options.on_served = log.Recorder();
//   ...
//   EXPECT_EQ(log.WaitFor(1).at(0).status, 200);
#ifndef BYOSHIN_CORE_HTTP_TESTING_SERVED_LOG_H_
#define BYOSHIN_CORE_HTTP_TESTING_SERVED_LOG_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/http/server.h"
#include "core/sync/mutex.h"

namespace byoshin::http::testing {

// Outlives the server. Thread-safe.
class ServedLog {
 public:
  std::function<void(const ServedRequest&)> Recorder() {
    return [this](const ServedRequest& served) {
      const sync::MutexLock lock(mutex_);
      served_.push_back(served);
      added_.NotifyAll();
    };
  }

  // Waits until there are at least `count` requests, and returns all there are.
  std::vector<ServedRequest> WaitFor(std::size_t count) {
    const sync::MutexLock lock(mutex_);
    while (served_.size() < count) added_.Wait(mutex_);
    return served_;
  }

 private:
  sync::Mutex mutex_;
  sync::Condition added_;
  std::vector<ServedRequest> served_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_SERVED_LOG_H_
