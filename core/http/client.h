// The interface of an HTTP client: one request, one response.
//
//   http::Request request{.url = "http://localhost:3000/health"};
//   absl::StatusOr<http::Response> response = client.Send(request);
//   if (!response.ok()) return response.status();  // no answer at all
//   if (response->status != 200) ...               // an answer, but not a yes
//
// CurlClient (curl_client.h) implements it.
#ifndef BYOSHIN_CORE_HTTP_CLIENT_H_
#define BYOSHIN_CORE_HTTP_CLIENT_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::http {

struct Header {
  std::string name{};
  std::string value{};
};

// Whether the server may receive a request twice.
enum class Resend {
  // The request may be sent again on a new connection if a reused connection
  // breaks before any byte of an answer.
  kAllowed,
  // The error is returned instead, once part of the body was sent.
  kNever,
};

struct Response {
  int status = 0;
  std::vector<Header> headers{};
  std::string body{};

  // The first header of this name, case-insensitive; empty if there is none.
  absl::string_view FindHeader(absl::string_view name) const {
    for (const Header& header : headers) {
      if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
    }
    return {};
  }
};

struct Request {
  std::string method = "GET";
  std::string url{};
  std::vector<Header> headers{};
  std::string body{};
  absl::Duration connect_timeout = absl::Seconds(1);
  // For the whole exchange, including the connection.
  absl::Duration timeout = absl::Seconds(5);
  // A longer body ends the exchange with an error, so that a server can't
  // exhaust the client's memory.
  std::size_t max_response_bytes = std::size_t{1} << 20;
  Resend resend = Resend::kAllowed;
  // Asked about once a second, on the thread of the request: true ends the
  // exchange with an error. May be null.
  std::function<bool()> cancelled = nullptr;
  // If set, receives the body of a successful answer (2xx) as it arrives, on
  // the thread of the request, instead of Response::body; `head` is the answer
  // without it. False ends the exchange with Cancelled. max_response_bytes
  // counts all pieces.
  std::function<bool(const Response& head, absl::string_view piece)> on_body =
      nullptr;
};

// Whether an error of Client::Send() says that nothing was sent, as when no
// connection could be made.
bool IsUnsent(const absl::Status& error);
// `error`, marked as such.
absl::Status MarkUnsent(absl::Status error);

// Sends requests. Not thread-safe unless the implementation says so.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // Any HTTP status is a response. An error means that there was none:
  //   InvalidArgument    the request itself is malformed (the URL, a header)
  //   Unavailable        no connection, or it broke before the answer was whole
  //   DeadlineExceeded   a time-out of the request passed
  //   ResourceExhausted  the body is longer than max_response_bytes
  //   Unauthenticated    the server's certificate was not accepted
  //   Cancelled          Request::cancelled has returned true
  // Messages name the method and the URL without user info and query. See also
  // IsUnsent().
  virtual absl::StatusOr<Response> Send(const Request& request) = 0;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_CLIENT_H_
