// Bounds the CONTINUATION frames of a header, in the bytes of an HTTP/2 client:
// empty ones cost a server much and no limit on the size of headers ends them.
// nghttp2 has such a limit, but counts each piece of a frame's header as a
// frame, so that a request with one CONTINUATION frame would be refused if it
// arrives byte by byte.
//
//   Http2Continuations continuations(8);
//   std::size_t accepted = continuations.Accept(bytes);
//   if (accepted < bytes.size()) { /* there are more than 8 */ }
#ifndef BYOSHIN_CORE_HTTP_HTTP2_CONTINUATIONS_H_
#define BYOSHIN_CORE_HTTP_HTTP2_CONTINUATIONS_H_

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"

namespace byoshin::http {

// Not thread-safe.
class Http2Continuations {
 public:
  // In a row.
  explicit Http2Continuations(int max);

  // How many of these bytes may be used: all, or those before the end of the
  // header of a frame that is one too many. The client's preface comes first.
  // Not to be called again after such a frame.
  std::size_t Accept(absl::string_view data);

 private:
  // Of a frame's header: RFC 9113, section 4.1.
  static constexpr std::size_t kHeaderBytes = 9;

  const int max_;
  std::array<char, kHeaderBytes> header_{};
  // Of `header_`.
  std::size_t known_ = 0;
  // Of the payload of the frame, at first of the preface.
  std::size_t left_;
  int count_ = 0;
};

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_HTTP2_CONTINUATIONS_H_
