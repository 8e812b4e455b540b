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
  if (closed_) return;
  woken_.push_back(std::move(session));
  if (state_ == State::kPosted) return;
  // Also if another thread has deferred it: this one may have no turns.
  const turn::Put put = turn::AtEnd(this, [self = shared_from_this()] {
    const sync::MutexLock lock(self->mutex_);
    if (self->state_ == State::kDeferred) self->PostWakeSome();
  });
  if (put == turn::Put::kNowhere) {
    PostWakeSome();
  } else {
    state_ = State::kDeferred;
  }
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
  state_ = State::kPosted;
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
    state_ = State::kIdle;
    if (!woken_.empty()) PostWakeSome();
  }
  for (std::size_t i = 0; i < count; ++i) sessions[i]->OnWake();
}

}  // namespace byoshin::http
