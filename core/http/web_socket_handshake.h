// The handshake that turns a request into a WebSocket (RFC 6455, section 4.2),
// without I/O.
//
//   if (auto refusal = RefuseHandshake(request)) return Write(*refusal);
//   Write(FormatSwitchingProtocols(request, upgrade, clock.Now()));
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_WEB_SOCKET_HANDSHAKE_H_
#define BYOSHIN_CORE_HTTP_WEB_SOCKET_HANDSHAKE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"

namespace byoshin::http {

// The answer to a request that cannot become a WebSocket: 426 if it does not
// request version 13, 400 if it is malformed.
std::optional<ServerResponse> RefuseHandshake(const ServerRequest& request);
// Names the required version and protocol.
ServerResponse UpgradeRequired(absl::string_view reason);

// InvalidArgument if the handler's upgrade is invalid: with a subprotocol that
// was not offered, or a malformed header.
absl::Status CheckUpgrade(const ServerRequest& request,
                          const WebSocketUpgrade& upgrade);

// The answer that accepts it, up to and including the empty line. The upgrade's
// own headers are included except those that the server sets.
std::string FormatSwitchingProtocols(const ServerRequest& request,
                                     const WebSocketUpgrade& upgrade,
                                     std::optional<absl::Time> date);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_HANDSHAKE_H_
