// HTTP/2 between bytes and requests, without I/O: what http2_connection.h is to
// a socket, request_parser.h and response_writer.h together are for HTTP/1.1.
// It makes no difference how the bytes are split.
//
//   Http2Session session({.max_header_bytes = 16384,
//                         .max_body_bytes = 1024,
//                         .max_concurrent_streams = 100});
//   session.Feed(bytes);  // begins with the client's preface
//   for (Http2Session::Event& event : session.TakeEvents()) {
//     if (event.kind == Http2Session::Event::Kind::kRequest) {
//       session.Respond(event.stream, {.response = {.body = "hello"}});
//     }
//   }
//   std::string output = session.TakeOutput(kBytes);  // to be sent
//
// The protocol itself is nghttp2's: https://www.rfc-editor.org/rfc/rfc9113.
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_HTTP2_SESSION_H_
#define BYOSHIN_CORE_HTTP_HTTP2_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/body_queue.h"
#include "core/http/request_parser.h"
#include "core/http/server_message.h"

namespace byoshin::http {

// What a client that speaks HTTP/2 sends first.
inline constexpr absl::string_view kHttp2Preface =
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// Not thread-safe.
class Http2Session {
 public:
  using Stream = std::int32_t;
  using Failure = RequestParser::Failure;

  struct Limits {
    // Of a request. As RFC 9113 says, each field counts 32 bytes more than its
    // name and value.
    std::size_t max_header_bytes = 0;
    std::size_t max_body_bytes = 0;
    int max_concurrent_streams = 0;
  };

  struct Event {
    enum class Kind {
      kBegun,    // a request has begun to arrive
      kHeader,   // its header is complete, its body is not
      kRequest,  // it is complete, or is to be answered with `failure`
      kSending,  // the answer, or more of it, is to be sent
      kSent,     // all there is of a body in pieces has been taken
      kClosed,   // the stream has ended; it is the last event of the stream
    };
    Kind kind = Kind::kBegun;
    Stream stream = 0;
    // For kRequest, except for `remote`.
    ServerRequest request{};
    std::optional<Failure> failure{};
    // For kClosed: an error code of RFC 9113, 0 if there was no error, and the
    // size of the body that was sent.
    std::uint32_t error_code = 0;
    std::size_t body_bytes = 0;
  };

  // An answer. CheckResponse() must accept it.
  struct Reply {
    ServerResponse response{};
    // Follows the response, if it is set.
    std::shared_ptr<BodyQueue> body{};
    // For HEAD and statuses without a body: only the header is sent.
    bool omits_body = false;
    std::optional<absl::Time> date{};
  };

  explicit Http2Session(Limits limits);
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;
  ~Http2Session();

  // Takes bytes of the client. False if the client has broken the protocol so
  // badly that nothing can be sent any more.
  bool Feed(absl::string_view data);
  // What has happened since the last call.
  std::vector<Event> TakeEvents();

  // Answers a request. Unknown streams, which have ended, are ignored here and
  // below.
  void Respond(Stream stream, Reply reply);
  // There is more of the body in pieces.
  void Resume(Stream stream);
  // Ends a stream: the client gets an error.
  void Reset(Stream stream, std::uint32_t error_code);

  // No further requests are accepted; those that have arrived are served.
  void GoAway();
  // Nor are those.
  void Terminate(std::uint32_t error_code);
  // Nothing is left to be received or sent.
  bool finished() const;

  // The next bytes to be sent: about `max` at most, empty if there are none.
  std::string TakeOutput(std::size_t max);

 private:
  struct Implementation;
  const std::unique_ptr<Implementation> implementation_;
};

// "CANCEL", for messages.
absl::string_view Http2ErrorName(std::uint32_t error_code);

// Error codes that connections use.
inline constexpr std::uint32_t kHttp2NoError = 0x0;
inline constexpr std::uint32_t kHttp2InternalError = 0x2;
inline constexpr std::uint32_t kHttp2RefusedStream = 0x7;
inline constexpr std::uint32_t kHttp2Cancel = 0x8;
inline constexpr std::uint32_t kHttp2EnhanceYourCalm = 0xb;

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_HTTP2_SESSION_H_
