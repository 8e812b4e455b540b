#include "core/http/web_socket_handshake.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/sha1.h"
#include "core/http/client.h"
#include "core/http/response_writer.h"
#include "core/http/server_message.h"
#include "core/http/web_socket.h"
#include "core/json/value.h"

namespace byoshin::http {
namespace {

constexpr absl::string_view kKeyHeader = "Sec-WebSocket-Key";
constexpr absl::string_view kVersionHeader = "Sec-WebSocket-Version";
constexpr absl::string_view kProtocolHeader = "Sec-WebSocket-Protocol";
constexpr absl::string_view kVersion = "13";
constexpr std::size_t kKeyBytes = 16;
// RFC 6455, section 1.3: a server without support for WebSockets does not use
// it.
constexpr absl::string_view kAcceptGuid =
    "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

// The elements of a list that may be spread over several headers.
std::vector<absl::string_view> ListOf(const ServerRequest& request,
                                      absl::string_view name) {
  std::vector<absl::string_view> elements;
  for (const Header& header : request.headers) {
    if (!absl::EqualsIgnoreCase(header.name, name)) continue;
    for (absl::string_view element : absl::StrSplit(header.value, ',')) {
      element = absl::StripAsciiWhitespace(element);
      if (!element.empty()) elements.push_back(element);
    }
  }
  return elements;
}

bool ListHas(const ServerRequest& request, absl::string_view name,
             absl::string_view wanted) {
  const std::vector<absl::string_view> elements = ListOf(request, name);
  return std::any_of(elements.begin(), elements.end(),
                     [wanted](absl::string_view element) {
                       return absl::EqualsIgnoreCase(element, wanted);
                     });
}

// The key is random bytes in base64; the server only proves that it has read
// it.
bool HasKey(const ServerRequest& request) {
  const std::vector<absl::string_view> keys = ListOf(request, kKeyHeader);
  std::string bytes;
  return keys.size() == 1 && absl::Base64Unescape(keys[0], &bytes) &&
         bytes.size() == kKeyBytes;
}

std::string AcceptKey(absl::string_view key) {
  const crypto::Sha1Digest digest =
      crypto::Sha1(absl::StrCat(key, kAcceptGuid));
  return absl::Base64Escape(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

bool DecidedByTheHandshake(absl::string_view name) {
  return absl::EqualsIgnoreCase(name, "Connection") ||
         absl::EqualsIgnoreCase(name, "Upgrade") ||
         absl::EqualsIgnoreCase(name, "Content-Length") ||
         absl::EqualsIgnoreCase(name, "Transfer-Encoding") ||
         absl::StartsWithIgnoreCase(name, "Sec-WebSocket-");
}

}  // namespace

bool WantsWebSocket(const ServerRequest& request) {
  return ListHas(request, "Upgrade", "websocket");
}

std::vector<absl::string_view> OfferedSubprotocols(
    const ServerRequest& request) {
  return ListOf(request, kProtocolHeader);
}

ServerResponse UpgradeRequired(absl::string_view reason) {
  ServerResponse response = ErrorResponse(426, reason);
  response.headers.push_back({"Upgrade", "websocket"});
  response.headers.push_back(
      {std::string(kVersionHeader), std::string(kVersion)});
  return response;
}

std::optional<ServerResponse> RefuseHandshake(const ServerRequest& request) {
  if (!WantsWebSocket(request)) {
    return UpgradeRequired("this address serves WebSockets only");
  }
  if (ListOf(request, kVersionHeader) !=
      std::vector<absl::string_view>{kVersion}) {
    return UpgradeRequired("only version 13 of WebSocket is supported");
  }
  if (request.method != "GET") {
    return ErrorResponse(400, "a WebSocket is requested with GET");
  }
  if (!ListHas(request, "Connection", "Upgrade")) {
    return ErrorResponse(
        400, "the Connection header of a WebSocket request has no Upgrade");
  }
  if (!HasKey(request)) {
    return ErrorResponse(
        400, "a WebSocket request needs one Sec-WebSocket-Key of 16 bytes");
  }
  return std::nullopt;
}

absl::Status CheckUpgrade(const ServerRequest& request,
                          const WebSocketUpgrade& upgrade) {
  const std::vector<absl::string_view> offered = OfferedSubprotocols(request);
  if (!upgrade.subprotocol.empty() &&
      std::find(offered.begin(), offered.end(), upgrade.subprotocol) ==
          offered.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the client did not offer the subprotocol ",
                     json::Describe(upgrade.subprotocol)));
  }
  return CheckResponse({.headers = upgrade.headers});
}

std::string FormatSwitchingProtocols(const ServerRequest& request,
                                     const WebSocketUpgrade& upgrade,
                                     std::optional<absl::Time> date) {
  std::string head = absl::StrCat(
      "HTTP/1.1 101 Switching Protocols\r\n"
      "Upgrade: websocket\r\n"
      "Connection: Upgrade\r\n"
      "Sec-WebSocket-Accept: ",
      AcceptKey(ListOf(request, kKeyHeader).front()), "\r\n");
  if (!upgrade.subprotocol.empty()) {
    absl::StrAppend(&head, kProtocolHeader, ": ", upgrade.subprotocol, "\r\n");
  }
  bool dated = false;
  for (const Header& header : upgrade.headers) {
    if (DecidedByTheHandshake(header.name)) continue;
    dated = dated || absl::EqualsIgnoreCase(header.name, "Date");
    absl::StrAppend(&head, header.name, ": ", header.value, "\r\n");
  }
  if (date.has_value() && !dated) {
    absl::StrAppend(&head, "Date: ", FormatDate(*date), "\r\n");
  }
  return absl::StrCat(head, "\r\n");
}

}  // namespace byoshin::http
