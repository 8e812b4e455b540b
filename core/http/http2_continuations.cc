#include "core/http/http2_continuations.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "core/http/http2_session.h"

namespace byoshin::http {
namespace {

constexpr std::size_t kTypeOffset = 3;
constexpr char kContinuationType = 9;

// The length of the payload, the first field of a frame's header.
std::size_t PayloadBytes(const char* header) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kTypeOffset; ++i) {
    bytes = bytes << 8 | static_cast<unsigned char>(header[i]);
  }
  return bytes;
}

}  // namespace

Http2Continuations::Http2Continuations(int max)
    : max_(max), left_(kHttp2Preface.size()) {}

std::size_t Http2Continuations::Accept(absl::string_view data) {
  for (std::size_t at = 0; at < data.size();) {
    if (left_ > 0) {
      const std::size_t skipped = std::min(left_, data.size() - at);
      left_ -= skipped;
      at += skipped;
      continue;
    }
    header_[known_++] = data[at++];
    if (known_ < kHeaderBytes) continue;
    known_ = 0;
    left_ = PayloadBytes(header_.data());
    count_ = header_[kTypeOffset] == kContinuationType ? count_ + 1 : 0;
    if (count_ > max_) return at - 1;
  }
  return data.size();
}

}  // namespace byoshin::http
