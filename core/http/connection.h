// A connection of an http::Server, while it speaks HTTP/1. A WebSocket
// (web_socket_session.h) or HTTP/2 (http2_connection.h) takes over the socket.
//
//   auto connection = std::make_shared<Connection>(std::move(socket), service);
//   connection->Start([](const auto& connection) { /* it has left */ });
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_CONNECTION_H_
#define BYOSHIN_CORE_HTTP_CONNECTION_H_

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/answer.h"
#include "core/http/body_queue.h"
#include "core/http/http2_connection.h"
#include "core/http/request_parser.h"
#include "core/http/response_writer.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/service.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_session.h"

namespace byoshin::http {

// Thread-safe: everything runs on the executor of the socket, which must run
// one thing at a time.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, const Service& service);

  // Serves the client; calls `on_closed` when the connection is closed.
  using OnClosed = std::function<void(const std::shared_ptr<Connection>&)>;
  void Start(OnClosed on_closed);
  // Finishes the current request, if there is one, and closes. A WebSocket is
  // closed as "going away".
  void Drain();
  // Closes immediately.
  void Abort();
  // Closes if there is no current request; otherwise calls `if_busy`, which
  // must not block.
  void CloseIfIdle(std::function<void()> if_busy);
  // Since when the connection is idle; time_point::max() if it is not.
  std::chrono::steady_clock::time_point idle_since() const {
    return idle_since_;
  }

 private:
  template <typename T>
  using Awaitable = boost::asio::awaitable<T>;
  using Error = boost::system::error_code;
  using SteadyTime = std::chrono::steady_clock::time_point;

  // What the client is expected to do. Each has a timeout except for the last
  // two, which have their own.
  enum class Phase {
    kIdle,
    kHeader,
    kBody,
    kAnswer,
    kLinger,
    kWebSocket,
    kHttp2
  };
  // What to do after a request.
  enum class Next { kServeAnother, kLinger, kClose, kWebSocket, kHttp2 };

  Awaitable<void> Run();
  // After Run() has returned: cancels everything that would wait.
  void End();
  // Reads until it is known whether the client speaks HTTP/2.
  Awaitable<Next> ReadPreface();
  Awaitable<Next> ServeOne();
  Awaitable<Error> ReadRequest(RequestParser& parser);
  Awaitable<Error> ReadSome();
  Awaitable<Next> Serve(RequestParser& parser);
  // If there is a response, body_ may follow; if not, there may be an upgrade_.
  Awaitable<std::optional<ServerResponse>> Ask(const ServerRequest& request);
  // Waits until what it passes to `subscribe` is called, the client has left or
  // the server stops; not at all if `subscribe` returns false.
  using Subscribe = absl::FunctionRef<bool(std::function<void()>)>;
  Awaitable<void> WaitFor(Subscribe subscribe);
  Awaitable<Next> Reply(ServerResponse& response, const RequestParser& parser);
  // The same for an answer whose body follows in pieces.
  Awaitable<Next> ReplyInPieces(ServerResponse& head, BodyQueue& body,
                                const RequestParser& parser);
  // Sends all pieces, as they come. Returns why it could not; empty if it has.
  Awaitable<std::string> WritePieces(BodyQueue& body, Framing framing);
  // Accepts the request as upgrade_ says.
  Awaitable<Next> Accept(const ServerRequest& request,
                         const RequestParser& parser);
  Awaitable<void> RunWebSocket();
  Awaitable<void> RunHttp2();
  Awaitable<Error> Write(absl::string_view head, absl::string_view body,
                         absl::string_view end = {});
  Awaitable<void> Linger();

  void WatchClient();
  // Whether the client has closed its side; nullopt if unknown.
  std::optional<bool> ClientHasLeft();
  // False while draining, if there is no request to finish.
  bool HasReasonToStay();
  void Enter(Phase phase);
  void SetIdle(bool idle);
  // From now on; replaces the previous one.
  void SetTimeout(absl::Duration timeout);
  void ArmTimer();
  void OnTimer();
  absl::Duration TimeoutOf(Phase phase) const;
  std::string DescribeLoss(Error error) const;
  void ReportServed();

  const Service& service_;
  boost::asio::ip::tcp::socket socket_;
  const std::string remote_;
  // When the socket is closed, unless postponed.
  SteadyTime deadline_ = SteadyTime::max();
  // Checks then whether the deadline was postponed, so that postponing it
  // several times a request costs nothing. Armed for armed_, or not at all.
  boost::asio::steady_timer timer_;
  SteadyTime armed_ = SteadyTime::max();
  // Cancelled to wake WaitFor(); never expires.
  boost::asio::steady_timer answered_;
  // Distinguishes this wait for an answer from earlier ones.
  std::uint64_t wait_ = 0;
  // What is waited for has happened.
  bool settled_ = false;
  // WatchClient() has been called during this wait.
  bool watching_ = false;

  // Read, but not yet part of a request.
  std::string input_;
  Phase phase_ = Phase::kIdle;
  // Read by other threads.
  std::atomic<SteadyTime> idle_since_;
  bool timed_out_ = false;
  bool draining_ = false;
  bool aborted_ = false;
  bool client_left_ = false;

  // What follows the response.
  std::shared_ptr<BodyQueue> body_;
  // The request is accepted as a WebSocket.
  std::unique_ptr<WebSocketUpgrade> upgrade_;
  std::optional<WebSocketPlace> web_socket_place_;
  // It has become one, which has taken over `socket_`.
  std::shared_ptr<WebSocketSession> web_socket_;
  // It speaks HTTP/2, likewise.
  std::shared_ptr<Http2Connection> http2_;

  // The current request.
  ServedRequest served_;
  SteadyTime started_;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CONNECTION_H_
