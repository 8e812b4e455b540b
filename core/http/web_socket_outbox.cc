#include "core/http/web_socket_outbox.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_frame.h"
#include "core/sync/mutex.h"

namespace byoshin::http {

OutgoingFrame NewControlFrame(Opcode opcode, std::string payload) {
  return {.header = FormatFrameHeader(opcode, payload.size()),
          .head = std::move(payload),
          .shared = nullptr};
}

Outbox::Outbox(std::size_t max_unsent_bytes, std::function<void()> wake)
    : max_unsent_bytes_(max_unsent_bytes), wake_(std::move(wake)) {}

bool Outbox::Send(WebSocketMessage message) {
  const std::size_t payload_bytes =
      message.head.size() + (message.shared ? message.shared->size() : 0);
  const Opcode opcode = message.type == WebSocketMessage::Type::kText
                            ? Opcode::kText
                            : Opcode::kBinary;
  OutgoingFrame frame = {.header = FormatFrameHeader(opcode, payload_bytes),
                         .head = std::move(message.head),
                         .shared = std::move(message.shared),
                         .cost = sizeof(OutgoingFrame) + payload_bytes};
  // Destroyed outside the lock: that may take long.
  std::vector<OutgoingFrame> dropped;
  const sync::MutexLock lock(mutex_);
  if (shut_ || closing_.has_value()) return false;
  if (frame.cost > max_unsent_bytes_ - unsent_bytes_) {
    closing_ = {kCloseTryAgainLater,
                absl::StrCat("the client reads too slowly: more than ",
                             max_unsent_bytes_, " bytes are unsent")};
    overflowed_ = true;
    for (const OutgoingFrame& waiting : frames_) unsent_bytes_ -= waiting.cost;
    dropped.swap(frames_);
    Wake();
    return false;
  }
  unsent_bytes_ += frame.cost;
  frames_.push_back(std::move(frame));
  if (!std::exchange(woken_, true)) Wake();
  return true;
}

void Outbox::Close(std::uint16_t code, absl::string_view reason) {
  if (!IsCloseCode(code)) code = kCloseInternalError;
  const sync::MutexLock lock(mutex_);
  if (shut_ || closing_.has_value()) return;
  closing_ = {code, std::string(reason)};
  Wake();
}

std::size_t Outbox::unsent_bytes() const {
  const sync::MutexLock lock(mutex_);
  return unsent_bytes_;
}

std::vector<OutgoingFrame> Outbox::Take() {
  const sync::MutexLock lock(mutex_);
  woken_ = false;
  return std::exchange(frames_, {});
}

void Outbox::OnWritten(const OutgoingFrame& frame) {
  const sync::MutexLock lock(mutex_);
  unsent_bytes_ -= frame.cost;
}

bool Outbox::is_open() const {
  const sync::MutexLock lock(mutex_);
  return !shut_ && !closing_.has_value();
}

std::optional<WebSocketClose> Outbox::closing() const {
  const sync::MutexLock lock(mutex_);
  return closing_;
}

bool Outbox::overflowed() const {
  const sync::MutexLock lock(mutex_);
  return overflowed_;
}

void Outbox::Shut() {
  std::vector<OutgoingFrame> dropped;
  std::function<void()> wake;
  const sync::MutexLock lock(mutex_);
  shut_ = true;
  for (const OutgoingFrame& waiting : frames_) unsent_bytes_ -= waiting.cost;
  dropped.swap(frames_);
  wake.swap(wake_);
}

void Outbox::Wake() {
  if (wake_) wake_();
}

}  // namespace byoshin::http
