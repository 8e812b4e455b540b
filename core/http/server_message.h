// The requests and responses of core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_SERVER_MESSAGE_H_
#define BYOSHIN_CORE_HTTP_SERVER_MESSAGE_H_

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"

namespace byoshin::http {

struct ServerRequest {
  std::string method{};
  // The request target as the client sent it: "/a%20b?c=d". `path` and `query`
  // are its parts, still percent-encoded: "/a%20b" and "c=d".
  std::string target{};
  std::string path{};
  std::string query{};
  std::vector<Header> headers{};
  std::string body{};
  // Numeric address and port of the client: "127.0.0.1:40312".
  std::string remote{};

  // The first header of this name, case-insensitive; empty if there is none.
  absl::string_view FindHeader(absl::string_view name) const {
    for (const Header& header : headers) {
      if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
    }
    return {};
  }
};

// The server adds Content-Length, Connection and Date, and omits the body of an
// answer to HEAD, so that a handler can treat HEAD like GET. With a header
// "Connection: close", the connection is closed afterwards.
struct ServerResponse {
  int status = 200;
  std::vector<Header> headers{};
  std::string body{};
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_SERVER_MESSAGE_H_
