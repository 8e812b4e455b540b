// Tries the server's request parser on any bytes, and on the same bytes cut
// into pieces: the first byte of the input says how.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/request_parser.h"
#include "core/http/server_message.h"

namespace byoshin::http {
namespace {

constexpr RequestParser::Limits kLimits = {.max_header_bytes = 512,
                                           .max_body_bytes = 64};

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

struct Outcome {
  bool finished = false;
  // Empty if there is none.
  std::string request;
  std::string rest;
};

std::string Describe(const ServerRequest& request) {
  std::string text = absl::StrCat(request.method, " ", request.target, "\n");
  for (const Header& header : request.headers) {
    absl::StrAppend(&text, header.name, ":", header.value, "\n");
  }
  return absl::StrCat(text, "\n", request.body);
}

void CheckRequest(const ServerRequest& request) {
  Require(!request.method.empty() && !request.target.empty(),
          "a request has a method and a target");
  Require(!request.path.empty(), "a request has a path");
  Require(request.body.size() <= kLimits.max_body_bytes,
          "a body is within its limit");
  std::size_t header_bytes = 0;
  for (const Header& header : request.headers) {
    Require(!header.name.empty(), "a header has a name");
    for (char c : absl::StrCat(header.name, header.value)) {
      Require(c != '\r' && c != '\n' && c != '\0',
              "a header has no line breaks");
    }
    header_bytes += header.name.size() + header.value.size();
  }
  Require(header_bytes <= kLimits.max_header_bytes,
          "headers are within their limit");
}

Outcome Parse(absl::string_view input, std::size_t piece) {
  RequestParser parser(kLimits);
  std::string buffer;
  while (!parser.finished() && !input.empty()) {
    const absl::string_view next = input.substr(0, piece);
    absl::StrAppend(&buffer, next);
    input.remove_prefix(next.size());
    const std::size_t taken = parser.Feed(buffer);
    Require(taken <= buffer.size(), "no more is taken than there is");
    buffer.erase(0, taken);
    Require(buffer.size() <= kLimits.max_header_bytes || parser.finished(),
            "what is left over is bounded");
  }
  Outcome outcome;
  outcome.finished = parser.finished();
  if (parser.failure().has_value()) {
    Require(parser.failure()->status >= 400 && parser.failure()->status < 600,
            "a refusal has the status of an error");
    Require(!parser.failure()->reason.empty(), "a refusal has a reason");
  } else if (parser.finished()) {
    const ServerRequest request = parser.TakeRequest();
    CheckRequest(request);
    outcome.request = Describe(request);
    outcome.rest = absl::StrCat(buffer, input);
  }
  return outcome;
}

void Check(absl::string_view input, std::size_t piece) {
  const Outcome whole = Parse(input, std::max<std::size_t>(input.size(), 1));
  const Outcome pieces = Parse(input, piece);
  if (!whole.finished || !pieces.finished) {
    // Bytes in pieces are judged later, but not otherwise.
    Require(whole.request.empty() && pieces.request.empty(),
            "a request is read whole or in pieces");
    return;
  }
  Require(whole.request == pieces.request, "pieces make no other request");
  Require(whole.rest == pieces.rest, "a request ends at the same byte");
}

}  // namespace
}  // namespace byoshin::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size == 0) return 0;
  byoshin::http::Check(
      absl::string_view(reinterpret_cast<const char*>(data + 1), size - 1),
      1 + data[0] % 16);
  return 0;
}
