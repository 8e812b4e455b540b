// An HTTP server with asynchronous answers. A client speaks HTTP/1.1, or HTTP/2
// if it begins with that protocol's preface ("prior knowledge"), on the same
// port; to the handler it makes no difference.
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
// A handler may keep the Responder and answer later, from any thread: long
// polling occupies a connection, but no thread.
//
//   [&](const http::ServerRequest&, http::Responder respond) {
//     queue.WhenNotEmpty([respond](std::string item) {
//       respond({.body = std::move(item)});
//     });
//   }
//
// An answer can also be sent piece by piece: core/http/body_stream.h.
//
//   [](const http::ServerRequest&, http::Responder respond) {
//     StartProducing(respond.Begin({.status = 200}));
//   }
//
// A handler can also accept a request as a WebSocket: core/http/web_socket.h.
//
// The memory and time that a client can use are bounded: see ServerOptions.
// Invalid requests are answered by the server itself (400, 413, 431, 501, 505,
// with {"error": ...} as the body) and never reach the handler. Names are not
// resolved: addresses are numeric.
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
#include "core/http/body_stream.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/time/clock.h"

namespace byoshin::http {

// Takes the answer to a request. A copyable handle: all copies refer to the
// same request. Thread-safe.
//
// If all copies are destroyed without an answer, the server closes the
// connection. There is no timeout for an answer: a copy keeps the connection
// until the client disconnects or the server stops.
class Responder {
 public:
  // Implemented by the server.
  class Exchange {
   public:
    virtual ~Exchange() = default;
    virtual void Send(ServerResponse response) = 0;
    // By default, neither pieces nor an upgrade are possible.
    virtual std::shared_ptr<BodyStream> Begin(ServerResponse,
                                              BodyStreamOptions);
    // NOLINTNEXTLINE(performance-unnecessary-value-param): others keep it
    virtual void Upgrade(WebSocketUpgrade) { Send({.status = 501}); }
    virtual bool connected() const = 0;
  };

  explicit Responder(std::shared_ptr<Exchange> exchange)
      : exchange_(std::move(exchange)) {}

  // Sends the answer; only the first call has an effect. Does not block, and
  // may be called after the client has disconnected or the server has stopped:
  // the answer is then dropped.
  void operator()(ServerResponse response) const {
    exchange_->Send(std::move(response));
  }

  // Sends the head of an answer, whose body follows by the BodyStream, which is
  // never null; `head.body` is the first piece. Counts as the answer, like the
  // call above: if there is one already, nothing can be written. Without
  // Content-Length, an HTTP/1.1 client gets a chunked body, an HTTP/1.0 client
  // one that ends with the connection.
  std::shared_ptr<BodyStream> Begin(ServerResponse head,
                                    BodyStreamOptions options = {}) const {
    return exchange_->Begin(std::move(head), options);
  }

  // Answers by making the connection a WebSocket; see core/http/web_socket.h.
  // Counts as the answer, like the call above. If the request does not ask for
  // a WebSocket correctly, the server answers it with 426 or 400 instead, and
  // no callback is called.
  void Upgrade(WebSocketUpgrade upgrade) const {
    exchange_->Upgrade(std::move(upgrade));
  }

  // False once the client is known to have disconnected: it closed its side
  // while it was waiting for the answer, or the server stopped. Check it before
  // an answer that must not be lost; a client can still disconnect right after.
  bool connected() const { return exchange_->connected(); }

  // Returns a copy that keeps `kept`, as do copies of it: it is released when
  // the last of them is, soon after the answer.
  Responder Keeping(std::shared_ptr<void> kept) const {
    auto both = std::make_shared<
        std::pair<std::shared_ptr<Exchange>, std::shared_ptr<void>>>(
        exchange_, std::move(kept));
    return Responder(std::shared_ptr<Exchange>(both, both->first.get()));
  }

 private:
  std::shared_ptr<Exchange> exchange_;
};

// Called on the server's threads; must not block. With several
// ServerOptions::threads, it is called concurrently. `request` lives until the
// handler returns.
using Handler =
    std::function<void(const ServerRequest& request, Responder respond)>;

// The outcome of a request, for access logs.
struct ServedRequest {
  std::string remote;
  // Empty if the request was not parsed that far.
  std::string method;
  std::string target;
  // The status sent, 101 for a WebSocket; 0 if none was sent: see `error`. An
  // answer in pieces can have both: it was cut off.
  int status = 0;
  std::size_t request_body_bytes = 0;
  std::size_t response_body_bytes = 0;
  // From the first byte of the request to the last of the answer.
  absl::Duration duration;
  // Why the request was rejected or not answered; empty on success.
  std::string error;
};

struct ServerOptions {
  // Numeric, IPv4 or IPv6. Loopback by default, so that nothing is exposed to
  // the network.
  std::string address = "127.0.0.1";
  // 0 selects a free port.
  std::uint16_t port = 0;
  // Connections are distributed over them; WebSockets share one.
  int threads = 1;
  // A client beyond this number replaces the connection that has been idle
  // longest, without a current request. While none is idle, it waits in the
  // system's backlog. A tenth, at least one, is not for WebSockets, which stay
  // for hours: a further one is answered with 503.
  int max_connections = 10000;
  // The current requests of an HTTP/2 connection; a client must not begin more.
  int max_concurrent_streams = 100;
  // Request line and headers together; more is answered with 431.
  std::size_t max_header_bytes = std::size_t{16} << 10;
  // More is answered with 413.
  std::size_t max_body_bytes = std::size_t{1} << 20;
  // How long a connection may be silent between requests.
  absl::Duration idle_timeout = absl::Seconds(75);
  // How long a client may take, from its first byte, to send all headers; then
  // to send the body; then to read the answer, or what there is of one that is
  // sent piece by piece. After that, the connection is closed.
  absl::Duration header_timeout = absl::Seconds(10);
  absl::Duration body_timeout = absl::Seconds(30);
  absl::Duration write_timeout = absl::Seconds(30);
  // How long Stop() waits for current requests to finish and WebSockets to
  // close.
  absl::Duration drain_timeout = absl::Seconds(5);
  // Called after each request, like the handler: must not block, and is called
  // concurrently with several threads.
  std::function<void(const ServedRequest&)> on_served = nullptr;
  // Called likewise when the system fails to accept a connection, usually
  // because there are no file descriptors left. The server continues, and tries
  // again shortly.
  std::function<void(const absl::Status&)> on_accept_error = nullptr;
  // For the Date header, which is omitted if this is null. Must outlive the
  // server. Timeouts are always in real time.
  const time::Clock* clock = nullptr;
};

// A server that runs from Start() to Stop(). Thread-safe.
class Server {
 public:
  // Listens and serves on its own threads. Once this returns, clients can
  // connect. Errors name the address and port:
  //   AlreadyExists      the port is in use
  //   PermissionDenied   the port needs privileges
  //   InvalidArgument    the address is not one of this machine's, or options
  //                      make no sense
  //   ResourceExhausted  the system has no file descriptors or threads left
  static absl::StatusOr<std::unique_ptr<Server>> Start(ServerOptions options,
                                                       Handler handler);

  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  // The port that the server listens on.
  virtual std::uint16_t port() const = 0;
  // "http://127.0.0.1:3000", without a trailing slash.
  virtual std::string url() const = 0;
  // The number of open connections, including WebSockets.
  virtual int connections() const = 0;

  // Stops accepting, closes idle connections, waits at most drain_timeout for
  // current requests to be answered and for WebSockets, which are closed with
  // 1001, to confirm it, and closes the rest. Blocks until this is done;
  // neither the handler nor a WebSocket's callback is called afterwards.
  // Calling it again has no effect; calling it from either deadlocks.
  virtual void Stop() = 0;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_SERVER_H_
