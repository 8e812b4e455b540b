// A handler that answers nothing until the test says so.
//
//   http::testing::HeldRequests held;
//   auto server = http::Server::Start({}, held.Handler());
//   ...                                        // a client asks
//   held.WaitFor(1).at(0)({.body = "at last"});  // and is answered
#ifndef BYOSHIN_CORE_HTTP_TESTING_HELD_REQUESTS_H_
#define BYOSHIN_CORE_HTTP_TESTING_HELD_REQUESTS_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"

namespace byoshin::http::testing {

// Outlives the server. Thread-safe.
class HeldRequests {
 public:
  http::Handler Handler() {
    return [this](const ServerRequest&, Responder respond) {
      const sync::MutexLock lock(mutex_);
      responders_.push_back(std::move(respond));
      added_.NotifyAll();
    };
  }

  // Waits until `count` requests are being held, and hands them over.
  std::vector<Responder> WaitFor(std::size_t count) {
    const sync::MutexLock lock(mutex_);
    while (responders_.size() < count) added_.Wait(mutex_);
    return std::exchange(responders_, {});
  }

 private:
  sync::Mutex mutex_;
  sync::Condition added_;
  std::vector<Responder> responders_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_HELD_REQUESTS_H_
