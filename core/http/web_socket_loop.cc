#include "core/http/web_socket_loop.h"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <utility>

#include "core/http/web_socket_session.h"
#include "core/sync/mutex.h"
#include "core/turn/turn.h"

namespace byoshin::http {
namespace {

// The number of sessions before other connections get their turn.
constexpr std::size_t kSessionsPerTurn = 64;

}  // namespace

void WebSocketLoop::Wake(std::shared_ptr<WebSocketSession> session) {
  const sync::MutexLock lock(mutex_);
  if (woken_.empty()) {
    const auto post = [self = shared_from_this()] {
      const sync::MutexLock lock(self->mutex_);
      self->PostWakeSome();
    };
    if (turn::AtEnd(this, post) == turn::Put::kNowhere) PostWakeSome();
  }
  woken_.push_back(std::move(session));
}

void WebSocketLoop::Close() {
  std::deque<std::shared_ptr<WebSocketSession>> dropped;
  const sync::MutexLock lock(mutex_);
  closed_ = true;
  dropped.swap(woken_);
}

void WebSocketLoop::PostWakeSome() {
  if (closed_) return;
  boost::asio::post(executor_,
                    [self = shared_from_this()] { self->WakeSome(); });
}

void WebSocketLoop::WakeSome() {
  std::array<std::shared_ptr<WebSocketSession>, kSessionsPerTurn> sessions;
  std::size_t count = 0;
  {
    const sync::MutexLock lock(mutex_);
    count = std::min(woken_.size(), kSessionsPerTurn);
    for (std::size_t i = 0; i < count; ++i) {
      sessions[i] = std::move(woken_.front());
      woken_.pop_front();
    }
    if (!woken_.empty()) PostWakeSome();
  }
  for (std::size_t i = 0; i < count; ++i) sessions[i]->OnWake();
}

}  // namespace byoshin::http
