// A connection of an http::Server.
//
//   auto connection = std::make_shared<Connection>(std::move(socket), service);
//   connection->Start([](const auto& connection) { /* it has left */ });
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_CONNECTION_H_
#define BYOSHIN_CORE_HTTP_CONNECTION_H_

#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/answer.h"
#include "core/http/request_parser.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_session.h"

namespace byoshin::http {

// For co_await: errors as values instead of exceptions.
inline constexpr auto kAwait =
    boost::asio::as_tuple(boost::asio::use_awaitable);

// Shared by all connections of a server. Outlives them.
struct Service {
  ServerOptions options;
  Handler handler;
  // True while a client waits for room. Then on_idle is called whenever a
  // connection becomes idle; it must not block.
  std::atomic<bool> wants_room = false;
  std::function<void()> on_idle = nullptr;
};

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

  // What the client is expected to do. Each has a timeout except for the last:
  // a WebSocket has its own.
  enum class Phase { kIdle, kHeader, kBody, kAnswer, kLinger, kWebSocket };
  // What to do after a request.
  enum class Next { kServeAnother, kLinger, kClose, kWebSocket };

  Awaitable<void> Run();
  // After Run() has returned: cancels everything that would wait.
  void End();
  Awaitable<Next> ServeOne();
  Awaitable<Error> ReadRequest(RequestParser& parser);
  Awaitable<Error> ReadSome();
  Awaitable<Next> Serve(RequestParser& parser);
  // If there is no response, there may be an upgrade_.
  Awaitable<std::optional<ServerResponse>> Ask(const ServerRequest& request);
  Awaitable<void> WaitFor(Answer& answer);
  Awaitable<Next> Reply(ServerResponse& response, const RequestParser& parser);
  // Accepts the request as upgrade_ says.
  Awaitable<Next> Accept(const ServerRequest& request,
                         const RequestParser& parser);
  Awaitable<void> RunWebSocket();
  Awaitable<Error> Write(absl::string_view head, absl::string_view body);
  Awaitable<void> Linger();

  void CallHandler(const ServerRequest& request,
                   std::shared_ptr<Answer> answer);
  void WatchClient();
  // Whether the client has closed its side; nullopt if unknown.
  std::optional<bool> ClientHasLeft();
  // False while draining, if there is no request to finish.
  bool HasReasonToStay();
  void Enter(Phase phase);
  // From now on; replaces the previous one.
  void SetTimeout(absl::Duration timeout);
  void ArmTimer();
  void OnTimer();
  absl::Duration TimeoutOf(Phase phase) const;
  std::optional<absl::Time> Date() const;
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
  // There is an answer.
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

  // The request is accepted as a WebSocket.
  std::unique_ptr<WebSocketUpgrade> upgrade_;
  // It has become one, which has taken over `socket_`.
  std::shared_ptr<WebSocketSession> web_socket_;

  // The current request.
  ServedRequest served_;
  SteadyTime started_;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CONNECTION_H_
