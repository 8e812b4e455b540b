// The thread on which a server's WebSockets run, whichever thread accepted
// them. A message to many of them then keeps one thread busy, while the others
// go on with requests, and clients on the same machine have a processor to read
// with: on two processors, two threads that write make 400 subscribers wait
// longer than one does.
//
//   auto loop = std::make_shared<WebSocketLoop>(io.get_executor());
//   loop->Wake(session);  // calls session->OnWake() on that thread
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_WEB_SOCKET_LOOP_H_
#define BYOSHIN_CORE_HTTP_WEB_SOCKET_LOOP_H_

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::http {

class WebSocketSession;

// Thread-safe.
class WebSocketLoop : public std::enable_shared_from_this<WebSocketLoop> {
 public:
  // `executor` must run one thing at a time.
  explicit WebSocketLoop(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)) {}
  WebSocketLoop(const WebSocketLoop&) = delete;
  WebSocketLoop& operator=(const WebSocketLoop&) = delete;

  const boost::asio::any_io_executor& executor() const { return executor_; }

  // Sessions that are woken together wake the thread once. On a thread of a
  // server, that is after its pending requests: otherwise the two threads would
  // compete for processors, and most sessions would wait longer.
  void Wake(std::shared_ptr<WebSocketSession> session);

  // Wakes none any more, and no longer uses the executor.
  void Close();

 private:
  enum class State {
    kIdle,
    kDeferred,  // to the end of some thread's turn
    kPosted,
  };

  void PostWakeSome() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeSome();

  const boost::asio::any_io_executor executor_;
  sync::Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  // What is to call WakeSome(), if there are any to be woken.
  State state_ ABSL_GUARDED_BY(mutex_) = State::kIdle;
  std::deque<std::shared_ptr<WebSocketSession>> woken_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_LOOP_H_
