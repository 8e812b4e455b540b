// What the connections of a server share: its options, its handler, and how a
// request is passed to it.
//
//   auto answer = std::make_shared<Answer>();
//   CallHandler(service, request, answer);
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_SERVICE_H_
#define BYOSHIN_CORE_HTTP_SERVICE_H_

#include <algorithm>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "core/http/answer.h"
#include "core/http/response_writer.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/web_socket_loop.h"

namespace byoshin::http {

// For co_await: errors as values instead of exceptions.
inline constexpr auto kAwait =
    boost::asio::as_tuple(boost::asio::use_awaitable);

// How long data from the client is read and discarded after the last answer of
// a connection. If the connection were closed earlier, the system would send a
// reset, and the client's system would discard the answer.
inline constexpr absl::Duration kLingerTimeout = absl::Seconds(1);

// Longer timeouts are treated as infinite; this one can still be added to a
// time.
inline constexpr absl::Duration kForever = absl::Hours(24 * 365 * 100);

// Shared by all connections of a server. Outlives them.
struct Service {
  ServerOptions options;
  Handler handler;
  // True while a client waits for room. Then on_idle is called whenever a
  // connection becomes idle; it must not block.
  std::atomic<bool> wants_room = false;
  std::function<void()> on_idle = nullptr;
  // Those that are open.
  mutable std::atomic<int> web_sockets = 0;
  // Where they run.
  std::shared_ptr<WebSocketLoop> web_socket_loop = nullptr;
};

// A place for a WebSocket among the connections of a server, until it is
// destroyed.
class WebSocketPlace {
 public:
  // `service` outlives it.
  explicit WebSocketPlace(const Service& service)
      : service_(service),
        granted_(service.web_sockets++ < MaxWebSockets(service.options)) {}
  WebSocketPlace(const WebSocketPlace&) = delete;
  WebSocketPlace& operator=(const WebSocketPlace&) = delete;
  ~WebSocketPlace() { --service_.web_sockets; }

  // False if too many are open.
  bool granted() const { return granted_; }

 private:
  static int MaxWebSockets(const ServerOptions& options) {
    const int others = std::max(1, options.max_connections / 10);
    return std::max(1, options.max_connections - others);
  }

  const Service& service_;
  const bool granted_;
};

// An answer of the server itself to what the handler did wrong.
inline ServerResponse HandlerFailure() {
  return ErrorResponse(500, "the request could not be handled");
}

inline void CallHandler(const Service& service, const ServerRequest& request,
                        std::shared_ptr<Answer> answer) {
  // Kept until after the catch: when the last copy is destroyed, the request
  // has no answer.
  const Responder respond = NewResponder(std::move(answer));
  try {
    service.handler(request, respond);
  } catch (...) {
    // Handlers must not throw, but one that does must not affect other
    // connections.
    respond(HandlerFailure());
  }
}

// For the Date header; nullopt if there is none.
inline std::optional<absl::Time> DateFor(const Service& service) {
  if (service.options.clock == nullptr) return std::nullopt;
  return service.options.clock->Now();
}

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_SERVICE_H_
