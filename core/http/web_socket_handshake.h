// How a request becomes a WebSocket (RFC 6455, section 4.2), without any I/O.
//
//   if (auto refusal = RefuseHandshake(request)) return Write(*refusal);
//   Write(FormatSwitchingProtocols(request, upgrade, clock.Now()));
//
// For core/http/server.h, and only for it.
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
// ask for one of version 13, 400 if it does so in a malformed way.
std::optional<ServerResponse> RefuseHandshake(const ServerRequest& request);
// Says which version and protocol are needed.
ServerResponse UpgradeRequired(absl::string_view reason);

// InvalidArgument if the handler accepted the request in a way that cannot be
// sent: with a subprotocol that was not offered, or a malformed header.
absl::Status CheckUpgrade(const ServerRequest& request,
                          const WebSocketUpgrade& upgrade);

// The answer that accepts it, up to and including the empty line. Of the
// upgrade's own headers, those that the server decides about are left out.
std::string FormatSwitchingProtocols(const ServerRequest& request,
                                     const WebSocketUpgrade& upgrade,
                                     std::optional<absl::Time> date);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_HANDSHAKE_H_
