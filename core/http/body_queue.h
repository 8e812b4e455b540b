// The pieces of a body between its producer, which writes from any thread, and
// the connection, which sends.
//
//   auto queue = std::make_shared<BodyQueue>(max_unsent_bytes);
//   queue->Write("piece");                       // the producer
//   BodyQueue::Taken taken = queue->Take();      // the connection
//   Send(taken.bytes);
//   queue->OnSent(taken.bytes.size());
//   if (queue->NotifyWhenReady(wake_me)) { /* wait to be woken */ }
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_BODY_QUEUE_H_
#define BYOSHIN_CORE_HTTP_BODY_QUEUE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/http/body_stream.h"
#include "core/sync/mutex.h"

namespace byoshin::http {

// Thread-safe.
class BodyQueue {
 public:
  enum class State { kOpen, kEnded, kAborted };
  struct Taken {
    std::string bytes{};
    // After `bytes`.
    State state = State::kOpen;
  };

  explicit BodyQueue(std::size_t max_unsent_bytes)
      : max_unsent_bytes_(max_unsent_bytes) {}

  // The producer's side: see BodyStream.
  bool Write(std::string piece);
  void End();
  void Abort();
  std::size_t unsent_bytes() const;

  // The connection's side. All that has been written since the last call.
  Taken Take();
  // So many bytes of what was taken have been passed on.
  void OnSent(std::size_t bytes);
  // Calls `notify`, which must not block or call back, once there is something
  // to take, and returns true; or returns false if there is already.
  bool NotifyWhenReady(std::function<void()> notify);
  // Nobody will take anything any more.
  void Close();
  // Why the body is incomplete, if the state is kAborted.
  std::string failure() const;

 private:
  void Settle(State state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Notify() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t max_unsent_bytes_;

  mutable sync::Mutex mutex_;
  std::string waiting_ ABSL_GUARDED_BY(mutex_);
  // Of `waiting_`, and of what was taken and not sent.
  std::size_t unsent_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kOpen;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::string failure_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> notify_ ABSL_GUARDED_BY(mutex_);
};

// The producer's handle.
class QueuedBodyStream final : public BodyStream {
 public:
  explicit QueuedBodyStream(std::shared_ptr<BodyQueue> queue)
      : queue_(std::move(queue)) {}
  ~QueuedBodyStream() override { queue_->Abort(); }

  bool Write(std::string piece) override {
    return queue_->Write(std::move(piece));
  }
  void End() override { queue_->End(); }
  void Abort() override { queue_->Abort(); }
  std::size_t unsent_bytes() const override { return queue_->unsent_bytes(); }

 private:
  const std::shared_ptr<BodyQueue> queue_;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_BODY_QUEUE_H_
