// A connection that has become a WebSocket.
//
//   auto session = std::make_shared<WebSocketSession>(
//       std::move(socket), std::move(upgrade), loop);
//   co_await session->Run(std::move(bytes_read_already));
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_WEB_SOCKET_SESSION_H_
#define BYOSHIN_CORE_HTTP_WEB_SOCKET_SESSION_H_

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_frame.h"
#include "core/http/web_socket_loop.h"
#include "core/http/web_socket_outbox.h"

namespace byoshin::http {

// Not thread-safe, but for GoAway() and End(): everything happens on the
// executor of the loop. Between messages it keeps no buffers, so that an idle
// socket costs little memory.
class WebSocketSession : public std::enable_shared_from_this<WebSocketSession> {
 public:
  // The socket is one of the loop's executor.
  WebSocketSession(boost::asio::ip::tcp::socket socket,
                   WebSocketUpgrade upgrade,
                   std::shared_ptr<WebSocketLoop> loop);

  // Serves the client until the connection is closed; `input` is what it has
  // sent so far. Call it once.
  boost::asio::awaitable<void> Run(std::string input);
  // The outbox has something to send, or is to be closed.
  void OnWake();

  // Closes with 1001. Thread-safe.
  void GoAway();
  // Closes the connection immediately, and cancels everything that would wait.
  // Thread-safe.
  void End();

 private:
  using Error = boost::system::error_code;
  using SteadyTime = std::chrono::steady_clock::time_point;

  void EndNow();
  // Runs a callback of the owner.
  void Call(absl::FunctionRef<void()> callback);

  void ReadAvailable();
  void Receive(absl::string_view data);
  void Handle(ReceivedFrame frame);
  void Deliver(ReceivedFrame frame);
  void HandleClose(const WebSocketClose& close);
  void Fail(const WebSocketClose& close);
  // The connection has ended without a close.
  void Lose(absl::string_view reason);
  // Notifies the owner, and closes once everything has been sent.
  void BeginClose(const WebSocketClose& close);
  void TellClosed(const WebSocketClose& close);

  void Write();
  // Puts what is to be sent next into sending_; false if there is nothing.
  bool Refill();
  // Sends a part of sending_, as much as the system accepts.
  Error WriteSome();
  void OnWritten(std::size_t bytes);
  void WaitToWrite();
  void OnAllWritten();
  // Drops what has been taken from the outbox and not started.
  void DropUnbegun();

  void SetTimer(absl::Duration timeout);
  void OnTimer();
  void CheckClient(SteadyTime now);

  const std::shared_ptr<WebSocketLoop> loop_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  // When OnTimer() is due.
  SteadyTime armed_ = SteadyTime::max();
  WebSocketUpgrade upgrade_;
  FrameReader reader_;
  std::shared_ptr<Outbox> outbox_;

  // Frames being sent; `written_` bytes of the first have been.
  std::vector<OutgoingFrame> sending_;
  std::size_t first_ = 0;
  std::size_t written_ = 0;
  bool waiting_to_write_ = false;
  // To be sent before the next messages. Only the latest ping needs an answer.
  std::optional<std::string> pong_;
  bool ping_due_ = false;

  SteadyTime last_heard_;
  // A ping has been sent, and nothing has arrived since.
  bool pinged_ = false;

  // To be sent after the messages; nothing any more once it is.
  std::optional<WebSocketClose> close_;
  bool close_sent_ = false;
  bool close_received_ = false;
  bool failed_ = false;
  bool told_ = false;
  bool ended_ = false;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_SESSION_H_
