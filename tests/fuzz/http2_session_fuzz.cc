// Tries the server's side of HTTP/2 on any bytes after the preface, and on the
// same bytes cut into pieces: the first byte of the input says how.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/http2_session.h"

namespace byoshin::http {
namespace {

constexpr Http2Session::Limits kLimits = {.max_header_bytes = 500,
                                          .max_body_bytes = 100,
                                          .max_concurrent_streams = 5};

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

// A client that breaks the protocol is told so if nghttp2 still can, which
// depends on the pieces: only requests are compared.
using Requests = std::vector<std::string>;

void HandleEvents(Http2Session& session, Requests& requests) {
  using Kind = Http2Session::Event::Kind;
  for (const Http2Session::Event& event : session.TakeEvents()) {
    if (event.kind != Kind::kRequest) continue;
    Require(event.request.body.size() <= kLimits.max_body_bytes,
            "a body is within its limit");
    std::size_t header_bytes = 0;
    for (const Header& header : event.request.headers) {
      header_bytes += header.name.size() + header.value.size();
    }
    Require(header_bytes <= kLimits.max_header_bytes,
            "the headers are within their limit");
    Require(
        event.failure.has_value() || !event.request.FindHeader("host").empty(),
        "a request has a host");
    requests.push_back(
        absl::StrCat(event.request.method, " ", event.request.target, "\n",
                     event.failure.has_value() ? event.failure->status : 0,
                     "\n", event.request.body));
    session.Respond(event.stream, {.response = {.body = "hello"}});
  }
}

Requests Read(absl::string_view input, std::size_t piece) {
  Http2Session session(kLimits);
  Requests requests;
  session.Feed(kHttp2Preface);
  for (bool alive = true; alive && !input.empty();
       input.remove_prefix(std::min(piece, input.size()))) {
    alive = session.Feed(input.substr(0, piece));
    HandleEvents(session, requests);
  }
  // Answers are sent at the end, so that pieces make no difference.
  while (!session.TakeOutput(1000).empty()) HandleEvents(session, requests);
  return requests;
}

}  // namespace
}  // namespace byoshin::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace byoshin::http;  // NOLINT: all of this is about it
  if (size == 0) return 0;
  const absl::string_view input(reinterpret_cast<const char*>(data + 1),
                                size - 1);
  Require(Read(input, std::max<std::size_t>(input.size(), 1)) ==
              Read(input, 1 + data[0] % 16),
          "pieces make no other requests");
  return 0;
}
