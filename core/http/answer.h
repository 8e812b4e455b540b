// Passes the answer from a handler, which may call it on any thread at any
// time, to the waiting connection.
//
//   auto answer = std::make_shared<Answer>();
//   handler(request, NewResponder(answer));
//   if (answer->NotifyWhenSettled(wake_me)) { /* wait to be woken */ }
//   std::optional<ServerResponse> response = answer->Close();
//   if (response) body = answer->TakeBody();
//   if (!response) upgrade = answer->TakeUpgrade();
//
// It is the same for HTTP/1.1 and HTTP/2.
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_ANSWER_H_
#define BYOSHIN_CORE_HTTP_ANSWER_H_

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/http/body_queue.h"
#include "core/http/body_stream.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/sync/mutex.h"

namespace byoshin::http {

// Settled once: by a response, by the beginning of one, by an upgrade, or by
// the information that none will come. Thread-safe.
class Answer {
 public:
  // nullopt means that none will come. Only the first call has an effect.
  void Settle(std::optional<ServerResponse> response) {
    const sync::MutexLock lock(mutex_);
    if (settled_) return;
    response_ = std::move(response);
    OnSettled();
  }

  // Likewise: `body` follows `head`.
  void SettleByBeginning(ServerResponse head, std::shared_ptr<BodyQueue> body) {
    const sync::MutexLock lock(mutex_);
    if (settled_) return body->Close();
    response_ = std::move(head);
    body_ = std::move(body);
    OnSettled();
  }

  // Likewise.
  void SettleByUpgrade(std::unique_ptr<WebSocketUpgrade> upgrade) {
    const sync::MutexLock lock(mutex_);
    if (settled_) return;
    upgrade_ = std::move(upgrade);
    OnSettled();
  }

  bool settled() const {
    const sync::MutexLock lock(mutex_);
    return settled_;
  }

  // Calls `notify`, which must not block or call back, once this is settled,
  // and returns true; or returns false if it is already settled.
  bool NotifyWhenSettled(std::function<void()> notify) {
    const sync::MutexLock lock(mutex_);
    if (settled_) return false;
    notify_ = std::move(notify);
    return true;
  }

  // Ends the wait: takes the answer, if there is one, and ignores later ones.
  std::optional<ServerResponse> Close() {
    const sync::MutexLock lock(mutex_);
    open_ = false;
    settled_ = true;
    notify_ = nullptr;
    return std::exchange(response_, std::nullopt);
  }

  // Ends the wait, and what was begun: nobody takes the answer any more.
  void Abandon() {
    Close();
    if (const std::shared_ptr<BodyQueue> body = TakeBody()) body->Close();
  }

  // After Close(): what follows the response; null if it is complete.
  std::shared_ptr<BodyQueue> TakeBody() {
    const sync::MutexLock lock(mutex_);
    return std::move(body_);
  }

  // After Close(): the upgrade, if the request was accepted as a WebSocket;
  // otherwise null.
  std::unique_ptr<WebSocketUpgrade> TakeUpgrade() {
    const sync::MutexLock lock(mutex_);
    return std::move(upgrade_);
  }

  bool open() const {
    const sync::MutexLock lock(mutex_);
    return open_;
  }

 private:
  void OnSettled() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    settled_ = true;
    // Under the lock, so that it is not called after Close().
    if (notify_) std::exchange(notify_, nullptr)();
  }

  mutable sync::Mutex mutex_;
  bool open_ ABSL_GUARDED_BY(mutex_) = true;
  bool settled_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<ServerResponse> response_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<BodyQueue> body_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<WebSocketUpgrade> upgrade_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> notify_ ABSL_GUARDED_BY(mutex_);
};

// The handler's side: settles without a response when it is destroyed.
class AnswerExchange final : public Responder::Exchange {
 public:
  explicit AnswerExchange(std::shared_ptr<Answer> answer)
      : answer_(std::move(answer)) {}
  ~AnswerExchange() override { answer_->Settle(std::nullopt); }

  void Send(ServerResponse response) override {
    answer_->Settle(std::move(response));
  }
  std::shared_ptr<BodyStream> Begin(ServerResponse head,
                                    BodyStreamOptions options) override {
    auto body = std::make_shared<BodyQueue>(options.max_unsent_bytes);
    if (!head.body.empty()) body->Write(std::exchange(head.body, {}));
    answer_->SettleByBeginning(std::move(head), body);
    return std::make_shared<QueuedBodyStream>(std::move(body));
  }
  void Upgrade(WebSocketUpgrade upgrade) override {
    answer_->SettleByUpgrade(
        std::make_unique<WebSocketUpgrade>(std::move(upgrade)));
  }
  bool connected() const override { return answer_->open(); }

 private:
  const std::shared_ptr<Answer> answer_;
};

inline Responder NewResponder(std::shared_ptr<Answer> answer) {
  return Responder(std::make_shared<AnswerExchange>(std::move(answer)));
}

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_ANSWER_H_
