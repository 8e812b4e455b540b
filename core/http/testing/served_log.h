// Collects what an http::Server reports, for tests to wait for.
//
//   http::testing::ServedLog log;
//   http::ServerOptions options;
//   options.on_served = log.Recorder();
//   ...
//   EXPECT_EQ(log.WaitFor(1).at(0).status, 200);
#ifndef BYOSHIN_CORE_HTTP_TESTING_SERVED_LOG_H_
#define BYOSHIN_CORE_HTTP_TESTING_SERVED_LOG_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "core/http/server.h"

namespace byoshin::http::testing {

// Outlives the server. Thread-safe.
class ServedLog {
 public:
  std::function<void(const ServedRequest&)> Recorder() {
    return [this](const ServedRequest& served) {
      std::lock_guard lock(mutex_);
      served_.push_back(served);
      added_.notify_all();
    };
  }

  // Waits until there are at least `count` requests, and returns all there are.
  std::vector<ServedRequest> WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [&] { return served_.size() >= count; });
    return served_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<ServedRequest> served_;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_SERVED_LOG_H_
