// WebSockets (RFC 6455) for an http::Server.
//
// The handler gets the request like any other, with its query, headers
// (including Origin) and offered subprotocols, and accepts it or answers it as
// usual:
//
//   [&chat](const http::ServerRequest& request, http::Responder respond) {
//     if (!http::WantsWebSocket(request)) return respond({.status = 404});
//     if (!chat.Allows(request)) return respond({.status = 403});
//     respond.Upgrade(
//         {.subprotocol = "chat",
//          .on_open = [&chat](const auto& socket) { chat.Join(socket); },
//          .on_message =
//              [&chat](const auto& socket, auto type, std::string data) {
//                if (!chat.Say(data)) socket->Close(4400, "not understood");
//              },
//          .on_close = [&chat](const auto& socket,
//                              const auto& close) { chat.Leave(socket); }});
//   }
//
// The same text for many sockets is held in memory once:
//
//   auto text = std::make_shared<const std::string>(std::move(news));
//   for (const auto& socket : members) socket->SendText(text);
//
// Ownership: the server owns the connection until it is closed. A
// std::shared_ptr<WebSocket> is a handle that may be kept for any time, even
// after the server is destroyed, and keeps neither open. The callbacks, and
// what they capture, are destroyed after on_close has returned.
//
// The memory that a client can use is bounded: see WebSocketOptions. Timeouts
// are in real time, and sockets neither wait for nor hold simulated time.
#ifndef BYOSHIN_CORE_HTTP_WEB_SOCKET_H_
#define BYOSHIN_CORE_HTTP_WEB_SOCKET_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::http {

// Close codes of RFC 6455, section 7.4. Applications use 4000 to 4999.
inline constexpr std::uint16_t kCloseNormal = 1000;
inline constexpr std::uint16_t kCloseGoingAway = 1001;
inline constexpr std::uint16_t kCloseProtocolError = 1002;
// Never sent: the peer closed without a code, or the connection was lost.
inline constexpr std::uint16_t kCloseNoCode = 1005;
inline constexpr std::uint16_t kCloseLost = 1006;
inline constexpr std::uint16_t kCloseInvalidText = 1007;
inline constexpr std::uint16_t kCloseMessageTooBig = 1009;
inline constexpr std::uint16_t kCloseInternalError = 1011;
inline constexpr std::uint16_t kCloseTryAgainLater = 1013;

// Why a socket was closed.
struct WebSocketClose {
  std::uint16_t code = kCloseNormal;
  std::string reason{};
};

// A message to send: `head` followed by `*shared`, if set. So a text that many
// sockets share can follow one that differs, and waits only once in memory.
struct WebSocketMessage {
  enum class Type { kText, kBinary };

  Type type = Type::kText;
  std::string head{};
  std::shared_ptr<const std::string> shared = nullptr;
};

// A client. Thread-safe: messages arrive in the order of the calls. An
// interface, so that users can be tested without a network.
class WebSocket {
 public:
  virtual ~WebSocket() = default;

  // Queues a message and returns at once. Returns false, and drops it, if the
  // socket is closed or closing, or if the message closes it because the client
  // reads too slowly: see max_unsent_bytes. True does not guarantee that the
  // client will receive it. Text must be UTF-8, or clients will close the
  // socket.
  virtual bool Send(WebSocketMessage message) = 0;

  // Closes the socket after all messages sent before. on_message is no longer
  // called, on_close will be. Only the first call has an effect. A code that
  // must not be sent is replaced by 1011, and a reason is truncated to 123
  // bytes.
  virtual void Close(std::uint16_t code, absl::string_view reason) = 0;

  // Bytes sent that the system has not accepted yet, with some overhead for
  // each message.
  virtual std::size_t unsent_bytes() const = 0;

  bool SendText(std::string text) { return Send({.head = std::move(text)}); }
  bool SendText(std::shared_ptr<const std::string> text) {
    return Send({.shared = std::move(text)});
  }
  bool SendBinary(std::string data) {
    return Send(
        {.type = WebSocketMessage::Type::kBinary, .head = std::move(data)});
  }
  bool SendBinary(std::shared_ptr<const std::string> data) {
    return Send(
        {.type = WebSocketMessage::Type::kBinary, .shared = std::move(data)});
  }
};

struct WebSocketOptions {
  // The maximum size of a received message, all its fragments together; a
  // longer one closes the socket with 1009.
  std::size_t max_message_bytes = std::size_t{1} << 20;
  // The maximum of WebSocket::unsent_bytes(). A message beyond it closes the
  // socket with 1013, and messages that have not been started are dropped.
  std::size_t max_unsent_bytes = std::size_t{2} << 20;
  // A client from which nothing has arrived for ping_interval is sent a ping,
  // and is disconnected if nothing arrives for ping_timeout after that. An
  // infinite interval disables both.
  absl::Duration ping_interval = absl::Seconds(30);
  absl::Duration ping_timeout = absl::Seconds(20);
  // How long a client may take to read what was sent to it before the close,
  // and to confirm the close. After that, it is disconnected.
  absl::Duration close_timeout = absl::Seconds(10);
};

// How a request is accepted: see Responder::Upgrade() in core/http/server.h.
//
// The callbacks of one socket are called one at a time on one of the server's
// threads, so they must not block. They are never called within a call of
// WebSocket's methods, so they may lock mutexes that are held during such a
// call. An exception closes the socket with 1011.
struct WebSocketUpgrade {
  // One of those that the request offers, or empty.
  std::string subprotocol{};
  // Added to the answer.
  std::vector<Header> headers{};
  WebSocketOptions options{};

  // The client has been accepted. Called first, or never, if the client
  // disconnected before; then no other callback is called either.
  std::function<void(const std::shared_ptr<WebSocket>&)> on_open = nullptr;
  // A message has arrived, whole; text is valid UTF-8.
  std::function<void(const std::shared_ptr<WebSocket>&,
                     WebSocketMessage::Type type, std::string data)>
      on_message = nullptr;
  // The socket is closed or closing. Called once, after all others. The code is
  // that of the first to close: the client, the owner's Close(), the server
  // (1001 when it stops, 1002, 1007, 1009, 1013); 1005 if the client gave
  // none, 1006 if the connection was lost.
  std::function<void(const std::shared_ptr<WebSocket>&, const WebSocketClose&)>
      on_close = nullptr;
};

// True if the request is for a WebSocket. Whether it is valid is checked when
// it is accepted.
bool WantsWebSocket(const ServerRequest& request);

// The subprotocols that a request offers, in its order of preference.
std::vector<absl::string_view> OfferedSubprotocols(
    const ServerRequest& request);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_H_
