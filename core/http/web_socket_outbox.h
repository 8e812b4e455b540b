// The queue of frames to be sent to a WebSocket, between its owners, which send
// from any thread, and the connection, which writes.
//
//   auto outbox = std::make_shared<Outbox>(max_unsent_bytes, wake_me);
//   outbox->SendText("hello");                     // calls wake_me
//   for (OutgoingFrame& frame : outbox->Take()) {
//     Write(frame);
//     outbox->OnWritten(frame);
//   }
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_WEB_SOCKET_OUTBOX_H_
#define BYOSHIN_CORE_HTTP_WEB_SOCKET_OUTBOX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_frame.h"
#include "core/sync/mutex.h"

namespace byoshin::http {

// A frame to be sent to the client: its header, `head`, and `*shared`, if set.
struct OutgoingFrame {
  std::size_t bytes() const {
    return header.size + head.size() + (shared ? shared->size() : 0);
  }

  FrameHeader header;
  std::string head;
  std::shared_ptr<const std::string> shared;
  // Its part of Outbox::unsent_bytes().
  std::size_t cost = 0;
};
// A frame that does not count: there are only a few.
OutgoingFrame NewControlFrame(Opcode opcode, std::string payload);

// Thread-safe.
class Outbox final : public WebSocket {
 public:
  // `wake` is called when there is something to Take(), or the socket is to be
  // closed. It is called under a lock: it must not block or call back.
  Outbox(std::size_t max_unsent_bytes, std::function<void()> wake);

  bool Send(WebSocketMessage message) override;
  void Close(std::uint16_t code, absl::string_view reason) override;
  std::size_t unsent_bytes() const override;

  // The frames to be sent, in order.
  std::vector<OutgoingFrame> Take();
  // The frame, from Take(), is written or given up.
  void OnWritten(const OutgoingFrame& frame);

  // False once messages are no longer accepted.
  bool is_open() const;
  // Why the socket is being closed, by its owner or because the client reads
  // too slowly; nullopt if it is not.
  std::optional<WebSocketClose> closing() const;
  // The client was too slow: only the close is still to be sent.
  bool overflowed() const;
  // Accepts nothing more, and drops what was not taken. `wake` is not called
  // afterwards.
  void Shut();

 private:
  void Wake() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t max_unsent_bytes_;

  mutable sync::Mutex mutex_;
  std::function<void()> wake_ ABSL_GUARDED_BY(mutex_);
  // `wake_` has been called, Take() has not.
  bool woken_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<OutgoingFrame> frames_ ABSL_GUARDED_BY(mutex_);
  // Of `frames_`, and of those that were taken and not written.
  std::size_t unsent_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<WebSocketClose> closing_ ABSL_GUARDED_BY(mutex_);
  bool overflowed_ ABSL_GUARDED_BY(mutex_) = false;
  bool shut_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_OUTBOX_H_
