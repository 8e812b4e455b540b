// A handler that answers nothing until the test says so.
//
//   http::testing::HeldRequests held;
//   auto server = http::Server::Start({}, held.Handler());
//   ...                                        // a client asks
//   held.WaitFor(1).at(0)({.body = "at last"});  // and is answered
#ifndef BYOSHIN_CORE_HTTP_TESTING_HELD_REQUESTS_H_
#define BYOSHIN_CORE_HTTP_TESTING_HELD_REQUESTS_H_

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "core/http/server.h"
#include "core/http/server_message.h"

namespace byoshin::http::testing {

// Outlives the server. Thread-safe.
class HeldRequests {
 public:
  http::Handler Handler() {
    return [this](const ServerRequest&, Responder respond) {
      std::lock_guard lock(mutex_);
      responders_.push_back(std::move(respond));
      added_.notify_all();
    };
  }

  // Waits until `count` requests are being held, and hands them over.
  std::vector<Responder> WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [&] { return responders_.size() >= count; });
    return std::exchange(responders_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable added_;
  std::vector<Responder> responders_;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_HELD_REQUESTS_H_
