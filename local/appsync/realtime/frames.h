// The frames of AppSync's real-time protocol.
//
//   const ClientFrame frame = ParseFrame(text);
//   if (frame.type == ClientFrame::Type::kStart) …
//   socket->SendText(ErrorFrame(frame.id, "UnsupportedOperation", "…"));
//
// https://docs.aws.amazon.com/appsync/latest/devguide/real-time-websocket-client.html
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_FRAMES_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_FRAMES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/data.h"

namespace byoshin::local::appsync {

// The subprotocol, which the server must accept.
inline constexpr char kSubprotocol[] = "graphql-ws";

struct ClientFrame {
  enum class Type { kInvalid, kInit, kStart, kStop };
  Type type = Type::kInvalid;
  // nullopt if it has none.
  std::optional<std::string> id{};
  // kStart: the JSON text of the operation, and the headers that authorize it.
  std::string data{};
  json::Data authorization{};
  // kInvalid: why.
  std::string problem{};
};

// Any text is accepted.
ClientFrame ParseFrame(absl::string_view text);

std::string AckFrame();
std::string KeepAliveFrame();
// `type` is "start_ack" or "complete".
std::string IdFrame(absl::string_view type, absl::string_view id);
// Without an id if nullopt.
std::string ErrorFrame(const std::optional<std::string>& id,
                       absl::string_view error_type, absl::string_view message);
// The same with a JSON array of errors.
std::string ErrorsFrame(absl::string_view id, absl::string_view errors_json);
std::string ConnectionErrorFrame(absl::string_view error_type,
                                 absl::string_view message, int code);

// The headers that authorize a connection: in the query, in a second
// subprotocol, or in the handshake itself. The path and the body are those that
// a signature is for.
http::ServerRequest CredentialsOf(const http::ServerRequest& handshake,
                                  absl::string_view endpoint_path);
// The same of a subscription.
http::ServerRequest CredentialsOf(const ClientFrame& start,
                                  absl::string_view endpoint_path);

// The headers for resolvers with those of the credentials in addition. Clients
// that are pages can't set others.
json::Data WithHeaders(const json::Data& headers,
                       const http::ServerRequest& credentials);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_FRAMES_H_
