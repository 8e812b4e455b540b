#include "core/http/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::http {
namespace {

namespace asio = boost::asio;
namespace beast_http = boost::beast::http;
using boost::system::error_code;

// The shortest end of a chunked body, "0\r\n\r\n". Before the last chunk's
// header, fewer bytes than this decide nothing; some versions of Beast assert
// on being given them.
constexpr std::size_t kShortestChunkedEnd = 5;

// Two views of the same kind in one build mode, of different kinds in the
// other.
template <typename View>
absl::string_view AsAbsl(View view) {
  return absl::string_view(view.data(), view.size());
}

// True if `data` begins with a request line of some version of HTTP.
bool NamesAVersion(absl::string_view data) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(data.substr(0, data.find('\r')), ' ');
  if (words.size() != 3) return false;
  absl::string_view version = words[2];
  return absl::ConsumePrefix(&version, "HTTP/") && version.size() == 3 &&
         absl::ascii_isdigit(version[0]) && version[1] == '.' &&
         absl::ascii_isdigit(version[2]);
}

RequestParser::Failure HeaderTooLong(const RequestParser::Limits& limits) {
  return {431, absl::StrCat("the request line and headers are longer than ",
                            limits.max_header_bytes, " bytes")};
}

// Whether a header field continues in a line that begins with a space, which
// RFC 9112, section 5.2, lets a server refuse: a proxy that reads the line as
// a field of its own sees another request. Beast, which joins such lines, takes
// them in one piece.
bool HasFoldedLine(absl::string_view taken) {
  return absl::StrContains(taken, "\r\n ") ||
         absl::StrContains(taken, "\r\n\t");
}

std::vector<absl::string_view> ValuesOf(absl::string_view name,
                                        const std::vector<Header>& headers) {
  std::vector<absl::string_view> values;
  for (const Header& header : headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) {
      values.push_back(absl::StripAsciiWhitespace(header.value));
    }
  }
  return values;
}

// The next two return why the end of the body is ambiguous. If a proxy assumed
// another end, a client could smuggle requests past it. Beast finds other
// errors: both headers at once, or a length that is not a number.
// https://www.rfc-editor.org/rfc/rfc9112#section-6

// Beast accepts a list of equal lengths.
std::optional<RequestParser::Failure> ContentLengthFailure(
    const std::vector<Header>& headers) {
  const std::vector<absl::string_view> values =
      ValuesOf("Content-Length", headers);
  if (values.empty() ||
      (values.size() == 1 && !absl::StrContains(values[0], ','))) {
    return std::nullopt;
  }
  return RequestParser::Failure{
      400, "malformed request: there must be one Content-Length"};
}

std::optional<RequestParser::Failure> TransferEncodingFailure(
    const std::vector<Header>& headers, bool is_http_1_0) {
  const std::vector<absl::string_view> values =
      ValuesOf("Transfer-Encoding", headers);
  if (values.empty()) return std::nullopt;
  if (values.size() == 1 && absl::EqualsIgnoreCase(values[0], "chunked") &&
      !is_http_1_0) {
    return std::nullopt;
  }
  const std::string all = absl::StrJoin(values, ",");
  bool only_chunked = !is_http_1_0;
  for (const absl::string_view coding : absl::StrSplit(all, ',')) {
    const absl::string_view name = absl::StripAsciiWhitespace(coding);
    only_chunked &= name.empty() || absl::EqualsIgnoreCase(name, "chunked");
  }
  if (only_chunked) {
    return RequestParser::Failure{
        400, "malformed request: Transfer-Encoding must be chunked, once"};
  }
  return RequestParser::Failure{
      501, "the only supported Transfer-Encoding is chunked"};
}

// What Beast found wrong in `data`.
RequestParser::Failure Malformed(error_code error, absl::string_view data,
                                 const RequestParser::Limits& limits) {
  if (error == beast_http::error::header_limit) return HeaderTooLong(limits);
  if (error == beast_http::error::body_limit) {
    return {413, absl::StrCat("the body is longer than ", limits.max_body_bytes,
                              " bytes")};
  }
  if (error == beast_http::error::bad_version && NamesAVersion(data)) {
    return {505, "only HTTP/1.0 and HTTP/1.1 are supported"};
  }
  return {400, absl::StrCat("malformed request: ", error.message())};
}

}  // namespace

struct RequestParser::Beast {
  // Starts with bytes that follow those that were taken before.
  void BeginPiece(absl::string_view data) { frame_begin = data.data(); }

  // The length of the frame that is being read, up to `end`.
  std::ptrdiff_t FrameBytes(const char* end) const {
    return frame_bytes_before + (end - frame_begin);
  }

  // The bytes up to `end` have been taken.
  void EndPiece(const char* end) { frame_bytes_before = FrameBytes(end); }

  // Takes a piece of a chunk.
  std::size_t OnChunkBody(absl::string_view piece, error_code& error) {
    if (FrameBytes(piece.data()) > max_frame_bytes) {
      error = beast_http::error::header_limit;
      return 0;
    }
    frame_begin = piece.data() + piece.size();
    frame_bytes_before = 0;
    absl::StrAppend(&parser.get().body(), piece);
    return piece.size();
  }

  beast_http::request_parser<beast_http::string_body> parser;
  // Beast keeps references to these two.
  std::function<void(std::uint64_t, boost::beast::string_view, error_code&)>
      on_chunk_header;
  std::function<std::size_t(std::uint64_t, boost::beast::string_view,
                            error_code&)>
      on_chunk_body;
  // A frame is what is between the data of chunks and after the last: sizes,
  // extensions, trailers. Beast has no limit for it, and depending on its
  // version takes it whole or in parts.
  std::ptrdiff_t max_frame_bytes;
  // How much of the frame was taken with earlier pieces, and where it begins or
  // continues in the current one.
  std::ptrdiff_t frame_bytes_before = 0;
  const char* frame_begin = nullptr;
  bool has_last_chunk_header = false;
};

RequestParser::RequestParser(Limits limits)
    : limits_(limits), beast_(std::make_unique<Beast>()) {
  // Beast counts the request line and the fields separately, and not those that
  // it has already consumed; so they are counted here.
  beast_->parser.header_limit(std::numeric_limits<std::uint32_t>::max());
  beast_->parser.body_limit(limits.max_body_bytes);
  beast_->max_frame_bytes =
      static_cast<std::ptrdiff_t>(limits.max_header_bytes);
  beast_->on_chunk_header = [beast = beast_.get()](std::uint64_t size,
                                                   boost::beast::string_view,
                                                   error_code&) {
    beast->has_last_chunk_header = size == 0;
  };
  beast_->parser.on_chunk_header(beast_->on_chunk_header);
  beast_->on_chunk_body = [beast = beast_.get()](
                              std::uint64_t, boost::beast::string_view piece,
                              error_code& error) {
    return beast->OnChunkBody(AsAbsl(piece), error);
  };
  beast_->parser.on_chunk_body(beast_->on_chunk_body);
}

RequestParser::~RequestParser() = default;

std::size_t RequestParser::Feed(absl::string_view data) {
  std::size_t taken = 0;
  if (!has_begun_) taken += SkipLineBreaks(data);
  if (has_begun_ && !has_header_ && !finished()) {
    taken += FeedHeader(data.substr(taken));
  }
  if (has_header_ && !finished()) taken += FeedBody(data.substr(taken));
  return taken;
}

// RFC 9112, section 2.2: empty lines before the request line are ignored.
std::size_t RequestParser::SkipLineBreaks(absl::string_view data) {
  std::size_t taken = 0;
  while (absl::StartsWith(data.substr(taken), "\r\n")) taken += 2;
  header_bytes_ += taken;
  const absl::string_view rest = data.substr(taken);
  has_begun_ = !rest.empty() && rest != "\r";
  if (header_bytes_ > limits_.max_header_bytes) Fail(HeaderTooLong(limits_));
  return taken;
}

std::size_t RequestParser::FeedHeader(absl::string_view data) {
  // Not eager: stops after the header, so that it can be counted and checked.
  beast_->parser.eager(false);
  error_code error;
  const std::size_t taken =
      beast_->parser.put(asio::buffer(data.data(), data.size()), error);
  header_bytes_ += taken;
  const bool done = beast_->parser.is_header_done();
  const std::size_t header_bytes =
      done ? header_bytes_ : header_bytes_ + data.size() - taken;
  if (header_bytes > limits_.max_header_bytes) {
    Fail(HeaderTooLong(limits_));
  } else if (error && error != beast_http::error::need_more) {
    Fail(Malformed(error, data, limits_));
  } else if (HasFoldedLine(data.substr(0, taken))) {
    Fail({400, "malformed request: a header is folded over several lines"});
  } else if (done) {
    FinishHeader();
  }
  return taken;
}

void RequestParser::FinishHeader() {
  has_header_ = true;
  const auto& parser = beast_->parser;
  const auto& message = parser.get();
  CopyRequestLine();
  for (const auto& field : message) {
    request_.headers.push_back({std::string(AsAbsl(field.name_string())),
                                std::string(AsAbsl(field.value()))});
  }
  keep_alive_ = parser.keep_alive();
  is_http_1_0_ = message.version() == 10;
  std::optional<Failure> failure = ContentLengthFailure(request_.headers);
  if (!failure.has_value()) {
    failure = TransferEncodingFailure(request_.headers, is_http_1_0_);
  }
  if (failure.has_value()) return Fail(*std::move(failure));
  if (!is_http_1_0_ && message.count(beast_http::field::host) != 1) {
    return Fail({400, "malformed request: there must be one Host header"});
  }
  if (parser.is_done()) return FinishRequest();
  expects_continue_ =
      !is_http_1_0_ &&
      absl::EqualsIgnoreCase(AsAbsl(message[beast_http::field::expect]),
                             "100-continue");
}

std::size_t RequestParser::FeedBody(absl::string_view data) {
  auto& parser = beast_->parser;
  parser.eager(true);
  if (data.empty()) return 0;
  if (parser.chunked() && !beast_->has_last_chunk_header &&
      data.size() < kShortestChunkedEnd) {
    return 0;
  }
  beast_->BeginPiece(data);
  error_code error;
  const std::size_t taken =
      parser.put(asio::buffer(data.data(), data.size()), error);
  // What Beast leaves until it has seen more belongs to the frame, too.
  const std::ptrdiff_t frame_bytes = beast_->FrameBytes(
      data.data() + (parser.is_done() ? taken : data.size()));
  beast_->EndPiece(data.data() + taken);
  if (error && error != beast_http::error::need_more) {
    Fail(Malformed(error, data, limits_));
  } else if (parser.chunked() && frame_bytes > beast_->max_frame_bytes) {
    Fail(HeaderTooLong(limits_));
  } else if (parser.is_done()) {
    FinishRequest();
  }
  return taken;
}

void RequestParser::FinishRequest() {
  complete_ = true;
  request_.body = std::move(beast_->parser.get().body());
}

void RequestParser::CopyRequestLine() {
  const auto& message = beast_->parser.get();
  request_.method = std::string(AsAbsl(message.method_string()));
  request_.target = std::string(AsAbsl(message.target()));
  const TargetParts parts = SplitTarget(request_.target);
  request_.path = std::string(parts.path);
  request_.query = std::string(parts.query);
}

void RequestParser::Fail(Failure failure) {
  CopyRequestLine();
  failure_ = std::move(failure);
}

ServerRequest RequestParser::TakeRequest() {
  return std::exchange(request_, ServerRequest());
}

TargetParts SplitTarget(absl::string_view target) {
  for (absl::string_view scheme : {"http://", "https://"}) {
    if (!absl::StartsWithIgnoreCase(target, scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::size_t end = target.find_first_of("/?");
    target = end == absl::string_view::npos ? absl::string_view()
                                            : target.substr(end);
    break;
  }
  const std::size_t mark = target.find('?');
  if (mark == absl::string_view::npos) {
    return {target.empty() ? "/" : target, ""};
  }
  return {mark == 0 ? "/" : target.substr(0, mark), target.substr(mark + 1)};
}

}  // namespace byoshin::http
