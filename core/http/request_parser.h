// Parses the bytes of a client into requests, without I/O. It makes no
// difference how the bytes are split.
//
//   RequestParser parser({.max_header_bytes = 16384, .max_body_bytes = 1024});
//   while (!parser.finished()) {
//     input.erase(0, parser.Feed(input));
//     if (!parser.finished()) input += ReadMore();
//   }
//   if (parser.failure()) return Refuse(*parser.failure());
//   ServerRequest request = parser.TakeRequest();  // `input` has what follows
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_REQUEST_PARSER_H_
#define BYOSHIN_CORE_HTTP_REQUEST_PARSER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"

namespace byoshin::http {

// Reads one request. Not thread-safe.
class RequestParser {
 public:
  struct Limits {
    // Request line and headers together.
    std::size_t max_header_bytes;
    std::size_t max_body_bytes;
  };
  // Why a request is rejected, and with which status. What follows it can't be
  // parsed, so the connection must be closed.
  struct Failure {
    int status;
    std::string reason;
  };

  explicit RequestParser(Limits limits);
  ~RequestParser();

  // Consumes what it can from the front of `data` and returns the number of
  // bytes. The caller passes the rest again, followed by more. Never leaves
  // more than max_header_bytes and a few unused without failing, so the
  // caller's buffer stays small.
  std::size_t Feed(absl::string_view data);

  // The request is complete or has failed: see failure().
  bool finished() const { return failure_.has_value() || complete_; }
  const std::optional<Failure>& failure() const { return failure_; }

  // The headers are complete: method and target are known, a body may follow.
  bool has_header() const { return has_header_; }
  // The client waits for "100 Continue" before it sends the body.
  bool expects_continue() const { return expects_continue_; }
  // What has arrived so far is part of a request, not only line breaks, which
  // may precede one.
  bool has_begun() const { return has_begun_; }

  // Valid once has_header().
  bool keep_alive() const { return keep_alive_; }
  bool is_http_1_0() const { return is_http_1_0_; }

  // The request as far as it is known: empty, then with the header, and with
  // the body once finished() without a failure. Moves it out.
  ServerRequest TakeRequest();

 private:
  struct Beast;

  // Each returns how many bytes of `data` it took.
  std::size_t SkipLineBreaks(absl::string_view data);
  std::size_t FeedHeader(absl::string_view data);
  std::size_t FeedBody(absl::string_view data);
  void FinishHeader();
  void FinishRequest();
  void CopyRequestLine();
  void Fail(Failure failure);

  const Limits limits_;
  std::unique_ptr<Beast> beast_;
  ServerRequest request_;
  std::optional<Failure> failure_;
  std::size_t header_bytes_ = 0;
  bool has_begun_ = false;
  bool has_header_ = false;
  bool complete_ = false;
  bool expects_continue_ = false;
  bool keep_alive_ = false;
  bool is_http_1_0_ = false;
};

// The path and the query of a request target, both still percent-encoded.
// Removes the scheme and host of an absolute target ("http://host/path").
struct TargetParts {
  absl::string_view path;
  absl::string_view query;
};
TargetParts SplitTarget(absl::string_view target);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_REQUEST_PARSER_H_
