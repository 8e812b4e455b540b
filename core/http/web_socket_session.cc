#include "core/http/web_socket_session.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_frame.h"
#include "core/http/web_socket_loop.h"
#include "core/http/web_socket_outbox.h"

namespace byoshin::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// The size of a read, onto the stack, and the number of reads before other
// connections get their turn.
constexpr std::size_t kChunkBytes = std::size_t{16} << 10;
constexpr int kChunksPerTurn = 4;

// The number of buffers in one system call.
constexpr std::size_t kMaxParts = 64;

// Messages up to this size are copied together.
constexpr std::size_t kCopiedBytes = 1024;

// Longer timeouts are treated as infinite; this one can still be added to a
// time.
constexpr absl::Duration kLongestTimeout = absl::Hours(24 * 365 * 100);

// The part of `frame` after the first `skip` bytes.
template <typename Append>
void AppendParts(const OutgoingFrame& frame, std::size_t skip, Append append) {
  for (absl::string_view part :
       {frame.header.bytes(), absl::string_view(frame.head),
        frame.shared ? absl::string_view(*frame.shared)
                     : absl::string_view()}) {
    if (skip >= part.size()) {
      skip -= part.size();
      continue;
    }
    append(part.substr(skip));
    skip = 0;
  }
}

// Sends as much as the system accepts; -1 for an error.
ssize_t Send(int descriptor, absl::Span<iovec> parts) {
  constexpr int kFlags = MSG_DONTWAIT | MSG_NOSIGNAL;
  // Copying a short message is cheaper than telling the system its parts.
  std::array<char, kCopiedBytes> copy;
  std::size_t size = 0;
  for (const iovec& part : parts) {
    if (part.iov_len > copy.size() - size) {
      msghdr message = {};
      message.msg_iov = parts.data();
      message.msg_iovlen = parts.size();
      return ::sendmsg(descriptor, &message, kFlags);
    }
    std::memcpy(copy.data() + size, part.iov_base, part.iov_len);
    size += part.iov_len;
  }
  return ::send(descriptor, copy.data(), size, kFlags);
}

}  // namespace

WebSocketSession::WebSocketSession(tcp::socket socket, WebSocketUpgrade upgrade,
                                   std::shared_ptr<WebSocketLoop> loop)
    : loop_(std::move(loop)),
      socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      upgrade_(std::move(upgrade)),
      reader_(upgrade_.options.max_message_bytes) {}

asio::awaitable<void> WebSocketSession::Run(std::string input) {
  outbox_ = std::make_shared<Outbox>(
      upgrade_.options.max_unsent_bytes,
      [self = shared_from_this()] { self->loop_->Wake(self); });
  last_heard_ = std::chrono::steady_clock::now();
  SetTimer(upgrade_.options.ping_interval);
  if (upgrade_.on_open) Call([this] { upgrade_.on_open(outbox_); });
  Receive(input);
  // It would stay for as long as the client.
  std::string().swap(input);
  while (!ended_) {
    const auto [error] = co_await socket_.async_wait(
        tcp::socket::wait_read, asio::as_tuple(asio::use_awaitable));
    if (ended_) break;
    if (error) {
      Lose(error.message());
    } else {
      ReadAvailable();
    }
  }
}

void WebSocketSession::GoAway() {
  asio::dispatch(loop_->executor(), [self = shared_from_this()] {
    if (!self->outbox_) return;
    self->outbox_->Close(kCloseGoingAway, "the server is stopping");
    // Now: the connection may be aborted soon.
    self->OnWake();
  });
}

void WebSocketSession::End() {
  asio::dispatch(loop_->executor(),
                 [self = shared_from_this()] { self->EndNow(); });
}

void WebSocketSession::EndNow() {
  if (std::exchange(ended_, true)) return;
  Error ignored;
  socket_.close(ignored);
  // This does not reach an OnTimer() that is queued already, which therefore
  // looks at `ended_`.
  timer_.cancel();
  if (outbox_) {
    for (std::size_t i = first_; i < sending_.size(); ++i) {
      outbox_->OnWritten(sending_[i]);
    }
    outbox_->Shut();
  }
  std::vector<OutgoingFrame>().swap(sending_);
  first_ = 0;
  TellClosed({kCloseLost, "the server stopped"});
}

void WebSocketSession::Call(absl::FunctionRef<void()> callback) {
  try {
    callback();
  } catch (...) {
    // Callbacks must not throw, but one that does must not affect other
    // connections.
    outbox_->Close(kCloseInternalError, "the message could not be handled");
  }
}

void WebSocketSession::ReadAvailable() {
  std::array<char, kChunkBytes> chunk;
  for (int i = 0; i < kChunksPerTurn && !ended_; ++i) {
    const ssize_t size = ::recv(socket_.native_handle(), chunk.data(),
                                chunk.size(), MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size < 0) {
      return Lose(Error(errno, boost::system::system_category()).message());
    }
    if (size == 0) return Lose("the client closed the connection");
    last_heard_ = std::chrono::steady_clock::now();
    if (std::exchange(pinged_, false) && !told_) {
      SetTimer(upgrade_.options.ping_interval);
    }
    Receive(absl::string_view(chunk.data(), size));
    if (size < chunk.size()) return;
  }
}

void WebSocketSession::Receive(absl::string_view data) {
  while (!ended_) {
    std::optional<ReceivedFrame> frame = reader_.Next(data);
    if (!frame.has_value()) break;
    Handle(*std::move(frame));
  }
  if (!ended_ && reader_.failure().has_value() && !failed_) {
    Fail(*reader_.failure());
  }
}

void WebSocketSession::Handle(ReceivedFrame frame) {
  switch (frame.opcode) {
    case Opcode::kClose:
      return HandleClose(ParseClose(frame.data));
    case Opcode::kPing:
      pong_ = std::move(frame.data);
      return Write();
    case Opcode::kPong:
      return;
    default:
      return Deliver(std::move(frame));
  }
}

void WebSocketSession::Deliver(ReceivedFrame frame) {
  if (told_ || !upgrade_.on_message || !outbox_->is_open()) return;
  const WebSocketMessage::Type type = frame.opcode == Opcode::kText
                                          ? WebSocketMessage::Type::kText
                                          : WebSocketMessage::Type::kBinary;
  Call([&] { upgrade_.on_message(outbox_, type, std::move(frame.data)); });
}

void WebSocketSession::HandleClose(const WebSocketClose& close) {
  close_received_ = true;
  if (!told_) return BeginClose(close);
  Write();
}

void WebSocketSession::Fail(const WebSocketClose& close) {
  failed_ = true;
  if (!told_) return BeginClose(close);
  Write();
}

void WebSocketSession::Lose(absl::string_view reason) {
  TellClosed({kCloseLost, std::string(reason)});
  EndNow();
}

void WebSocketSession::BeginClose(const WebSocketClose& close) {
  close_ = outbox_->closing().value_or(close);
  // What the owner sent before its own close is still sent.
  if (close_received_ || failed_) outbox_->Shut();
  SetTimer(upgrade_.options.close_timeout);
  TellClosed(*close_);
  Write();
}

void WebSocketSession::TellClosed(const WebSocketClose& close) {
  if (std::exchange(told_, true) || !outbox_) return;
  // The owner may have closed it before, and that may not have been handled
  // yet.
  const WebSocketClose first = outbox_->closing().value_or(close);
  if (upgrade_.on_close) Call([&] { upgrade_.on_close(outbox_, first); });
  upgrade_.on_open = nullptr;
  upgrade_.on_message = nullptr;
  upgrade_.on_close = nullptr;
}

void WebSocketSession::OnWake() {
  if (ended_) return;
  if (!told_) {
    if (const auto close = outbox_->closing(); close.has_value()) {
      if (outbox_->overflowed()) DropUnbegun();
      return BeginClose(*close);
    }
  }
  Write();
}

void WebSocketSession::Write() {
  if (waiting_to_write_) return;
  while (!ended_ && (!sending_.empty() || Refill())) {
    const Error error = WriteSome();
    if (error == asio::error::would_block) return WaitToWrite();
    if (error) return Lose(error.message());
  }
  if (!ended_ && close_sent_) OnAllWritten();
}

bool WebSocketSession::Refill() {
  if (close_sent_) return false;
  if (pong_.has_value()) {
    sending_.push_back(
        NewControlFrame(Opcode::kPong, *std::exchange(pong_, std::nullopt)));
  }
  if (std::exchange(ping_due_, false)) {
    sending_.push_back(NewControlFrame(Opcode::kPing, ""));
  }
  std::vector<OutgoingFrame> frames = outbox_->Take();
  if (sending_.empty()) {
    sending_ = std::move(frames);
  } else {
    std::move(frames.begin(), frames.end(), std::back_inserter(sending_));
  }
  if (close_.has_value()) {
    sending_.push_back(NewControlFrame(Opcode::kClose, FormatClose(*close_)));
    close_sent_ = true;
  }
  return !sending_.empty();
}

WebSocketSession::Error WebSocketSession::WriteSome() {
  std::array<iovec, kMaxParts> parts;
  std::size_t count = 0;
  for (std::size_t i = first_; i < sending_.size(); ++i) {
    // A frame has up to three parts.
    if (count + 3 > parts.size()) break;
    AppendParts(
        sending_[i], i == first_ ? written_ : 0, [&](absl::string_view part) {
          parts[count++] = {const_cast<char*>(part.data()), part.size()};
        });
  }
  const ssize_t size =
      Send(socket_.native_handle(), absl::MakeSpan(parts).first(count));
  if (size >= 0) {
    OnWritten(size);
    return {};
  }
  if (errno == EINTR) return {};
  return Error(errno, boost::system::system_category());
}

void WebSocketSession::OnWritten(std::size_t bytes) {
  written_ += bytes;
  while (first_ < sending_.size() && written_ >= sending_[first_].bytes()) {
    written_ -= sending_[first_].bytes();
    outbox_->OnWritten(sending_[first_]);
    sending_[first_].shared = nullptr;
    ++first_;
  }
  if (first_ < sending_.size()) return;
  std::vector<OutgoingFrame>().swap(sending_);
  first_ = 0;
}

void WebSocketSession::WaitToWrite() {
  waiting_to_write_ = true;
  socket_.async_wait(tcp::socket::wait_write,
                     [self = shared_from_this()](Error error) {
                       self->waiting_to_write_ = false;
                       if (self->ended_) return;
                       if (error) return self->Lose(error.message());
                       self->Write();
                     });
}

void WebSocketSession::OnAllWritten() {
  if (!sending_.empty()) return;
  if (close_received_) return EndNow();
  // The client has violated the protocol, so it is not expected to close. What
  // it still sends is read and discarded: otherwise the system would send a
  // reset, and the client's system would discard the close.
  Error ignored;
  if (failed_) socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

void WebSocketSession::DropUnbegun() {
  const std::size_t begun = first_ + (written_ > 0 ? 1 : 0);
  for (std::size_t i = begun; i < sending_.size(); ++i) {
    outbox_->OnWritten(sending_[i]);
  }
  if (begun < sending_.size()) {
    sending_.erase(sending_.begin() + static_cast<std::ptrdiff_t>(begun),
                   sending_.end());
  }
  if (first_ < sending_.size()) return;
  sending_.clear();
  first_ = 0;
}

void WebSocketSession::SetTimer(absl::Duration timeout) {
  timer_.cancel();
  armed_ = SteadyTime::max();
  if (timeout >= kLongestTimeout) return;
  armed_ =
      std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(timeout);
  timer_.expires_at(armed_);
  timer_.async_wait([self = shared_from_this()](Error error) {
    if (!error && !self->ended_) self->OnTimer();
  });
}

void WebSocketSession::OnTimer() {
  const SteadyTime now = std::chrono::steady_clock::now();
  // It may have expired and been set again before this is called.
  if (armed_ > now) return;
  if (told_) return EndNow();
  CheckClient(now);
}

void WebSocketSession::CheckClient(SteadyTime now) {
  const WebSocketOptions& options = upgrade_.options;
  if (pinged_) {
    // After a pause of the whole process, the answer may have arrived already;
    // then the timer is set again.
    ReadAvailable();
    if (!pinged_ || told_) return;
    return Lose(absl::StrCat("no answer to a ping within ",
                             absl::FormatDuration(options.ping_timeout)));
  }
  const absl::Duration silence =
      std::max(absl::FromChrono(now - last_heard_), absl::ZeroDuration());
  if (silence < options.ping_interval) {
    return SetTimer(options.ping_interval - silence);
  }
  pinged_ = true;
  ping_due_ = true;
  SetTimer(options.ping_timeout);
  Write();
}

}  // namespace byoshin::http
