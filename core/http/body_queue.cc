#include "core/http/body_queue.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/sync/mutex.h"

namespace byoshin::http {

bool BodyQueue::Write(std::string piece) {
  const sync::MutexLock lock(mutex_);
  if (closed_ || state_ != State::kOpen) return false;
  if (piece.empty()) return true;
  if (piece.size() > max_unsent_bytes_ - unsent_bytes_) {
    failure_ = absl::StrCat("the client reads too slowly: more than ",
                            max_unsent_bytes_, " bytes are unsent");
    Settle(State::kAborted);
    return false;
  }
  unsent_bytes_ += piece.size();
  if (waiting_.empty()) {
    waiting_ = std::move(piece);
  } else {
    waiting_ += piece;
  }
  Notify();
  return true;
}

void BodyQueue::End() {
  const sync::MutexLock lock(mutex_);
  Settle(State::kEnded);
}

void BodyQueue::Abort() {
  const sync::MutexLock lock(mutex_);
  if (state_ != State::kOpen) return;
  failure_ = "the handler gave up the answer";
  Settle(State::kAborted);
}

void BodyQueue::Settle(State state) {
  if (state_ != State::kOpen) return;
  state_ = state;
  if (state == State::kAborted) {
    unsent_bytes_ -= waiting_.size();
    std::string().swap(waiting_);
  }
  Notify();
}

std::size_t BodyQueue::unsent_bytes() const {
  const sync::MutexLock lock(mutex_);
  return unsent_bytes_;
}

BodyQueue::Taken BodyQueue::Take() {
  const sync::MutexLock lock(mutex_);
  return {.bytes = std::exchange(waiting_, std::string()), .state = state_};
}

void BodyQueue::OnSent(std::size_t bytes) {
  const sync::MutexLock lock(mutex_);
  unsent_bytes_ -= bytes;
}

bool BodyQueue::NotifyWhenReady(std::function<void()> notify) {
  const sync::MutexLock lock(mutex_);
  if (!waiting_.empty() || state_ != State::kOpen) return false;
  notify_ = std::move(notify);
  return true;
}

void BodyQueue::Close() {
  // Destroyed outside the lock: it may own what owns this.
  std::function<void()> notify;
  const sync::MutexLock lock(mutex_);
  closed_ = true;
  unsent_bytes_ = 0;
  std::string().swap(waiting_);
  notify.swap(notify_);
}

std::string BodyQueue::failure() const {
  const sync::MutexLock lock(mutex_);
  return failure_;
}

void BodyQueue::Notify() {
  // Under the lock, so that it is not called after Close().
  if (notify_) std::exchange(notify_, nullptr)();
}

}  // namespace byoshin::http
