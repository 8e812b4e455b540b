// An HTTP/1.1 server: one handler, many clients, answers now or later.
//
//   absl::StatusOr<std::unique_ptr<http::Server>> server = http::Server::Start(
//       {.port = 3000},
//       [](const http::ServerRequest& request, http::Responder respond) {
//         respond({.status = 200, .body = "hello\n"});
//       });
//   if (!server.ok()) return server.status();
//   ...                  // (*server)->url() is "http://127.0.0.1:3000"
//   (*server)->Stop();   // lets requests under way finish; so does ~Server
//
// A handler that has no answer yet keeps the Responder and calls it when it
// has, from any thread: long polling holds a connection, not a thread.
//
//   [&](const http::ServerRequest&, http::Responder respond) {
//     queue.WhenNotEmpty([respond](std::string item) {
//       respond({.body = std::move(item)});
//     });
//   }
//
// A handler can also accept a request as a WebSocket: core/http/web_socket.h.
//
// Whatever a client sends or fails to send, it costs bounded memory and time:
// see ServerOptions. What is not HTTP/1.0 or 1.1 is answered by the server
// itself (400, 413, 431, 501, 505, with {"error": ...} as the body) and never
// reaches the handler. Names are not resolved: addresses are numeric.
#ifndef BYOSHIN_CORE_HTTP_SERVER_H_
#define BYOSHIN_CORE_HTTP_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/time/clock.h"

namespace byoshin::http {

// Takes the answer to one request. A copyable handle: copies stand for the same
// request. Thread-safe.
//
// Once all copies are gone without an answer, the server closes the connection
// without one. There is no time-out for an answer: a copy that is kept holds
// the connection until the client leaves or the server stops.
class Responder {
 public:
  // Implemented by the server.
  class Exchange {
   public:
    virtual ~Exchange() = default;
    virtual void Send(ServerResponse response) = 0;
    // What is not a server's connection cannot be upgraded.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): others keep it
    virtual void Upgrade(WebSocketUpgrade) { Send({.status = 501}); }
    virtual bool connected() const = 0;
  };

  explicit Responder(std::shared_ptr<Exchange> exchange)
      : exchange_(std::move(exchange)) {}

  // Sends the answer; only the first call counts. Does not block, and may be
  // called after the client has gone or the server has stopped: the answer then
  // goes nowhere.
  void operator()(ServerResponse response) const {
    exchange_->Send(std::move(response));
  }

  // Answers by making the connection a WebSocket; see core/http/web_socket.h.
  // Counts as the answer, like the call above. If the request does not ask for
  // a WebSocket correctly, the server answers it with 426 or 400 instead, and
  // no callback is called.
  void Upgrade(WebSocketUpgrade upgrade) const {
    exchange_->Upgrade(std::move(upgrade));
  }

  // False once the client is known to be gone: it closed its side while it was
  // waiting for the answer, or the server stopped. Whoever hands out something
  // that must not be lost asks first; a client can still go right after.
  bool connected() const { return exchange_->connected(); }

 private:
  std::shared_ptr<Exchange> exchange_;
};

// Called on the server's threads, so it must not block; with
// ServerOptions::threads above 1, by several at a time. `request` lives until
// the handler returns.
using Handler =
    std::function<void(const ServerRequest& request, Responder respond)>;

// What came of one request, for access logs.
struct ServedRequest {
  std::string remote;
  // Empty if the request was not understood so far.
  std::string method;
  std::string target;
  // What was sent, 101 for a WebSocket; 0 if nothing was: see `error`.
  int status = 0;
  std::size_t request_body_bytes = 0;
  std::size_t response_body_bytes = 0;
  // From the first byte of the request to the last of the answer.
  absl::Duration duration;
  // Why the request was refused or not answered; empty if all went well.
  std::string error;
};

struct ServerOptions {
  // Numeric, IPv4 or IPv6. Loopback, so that nothing is exposed unasked.
  std::string address = "127.0.0.1";
  // 0 lets the system choose a free one.
  std::uint16_t port = 0;
  int threads = 1;
  // A client beyond this many takes the place of the connection that has been
  // idle longest: one without a request under way. While none is idle, it waits
  // in the system's backlog.
  int max_connections = 10000;
  // Request line and headers together; more is answered with 431.
  std::size_t max_header_bytes = std::size_t{16} << 10;
  // More is answered with 413.
  std::size_t max_body_bytes = std::size_t{1} << 20;
  // How long a connection may be silent between requests.
  absl::Duration idle_timeout = absl::Seconds(75);
  // How long a client may take, from its first byte, to send all headers; then
  // to send the body; then to take the answer. Afterwards it is cut off.
  absl::Duration header_timeout = absl::Seconds(10);
  absl::Duration body_timeout = absl::Seconds(30);
  absl::Duration write_timeout = absl::Seconds(30);
  // How long Stop() lets requests under way finish, and WebSockets close.
  absl::Duration drain_timeout = absl::Seconds(5);
  // Called after each request, like the handler: it must not block, and with
  // several threads is called by several at a time.
  std::function<void(const ServedRequest&)> on_served = nullptr;
  // Called likewise when the system will not give the server another
  // connection, most likely for want of file descriptors. The server goes on,
  // and tries again shortly.
  std::function<void(const absl::Status&)> on_accept_error = nullptr;
  // For the Date header, which is left out if this is null. Outlives the
  // server. Time-outs are always real.
  const time::Clock* clock = nullptr;
};

// A server that runs from Start() to Stop(). Thread-safe.
class Server {
 public:
  // Listens and serves on threads of its own. Once this returns, clients can
  // connect. Errors name the address and port:
  //   AlreadyExists      the port is in use
  //   PermissionDenied   the port needs privileges
  //   InvalidArgument    the address is not one of this machine's, or options
  //                      make no sense
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options,
                                                       Handler handler);

  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  // Where the server listens.
  virtual std::uint16_t port() const = 0;
  // "http://127.0.0.1:3000", without a slash at the end.
  virtual std::string url() const = 0;
  // Clients connected at this moment, WebSockets included.
  virtual int connections() const = 0;

  // Stops accepting, closes idle connections, waits for requests under way to
  // be answered and for WebSockets, which are closed with 1001, to confirm it,
  // at most drain_timeout, and cuts off the rest. Blocks until all is done;
  // neither the handler nor a WebSocket's callback is called afterwards.
  // Calling it again is harmless; calling it from either is a deadlock.
  virtual void Stop() = 0;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_SERVER_H_
