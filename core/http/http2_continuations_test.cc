#include "core/http/http2_continuations.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/http2_session.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

// A frame whose payload looks like the header of a CONTINUATION frame.
std::string LookalikeFrame(char type) {
  return std::string("\0\0\x09", 3) + type + std::string(5, '\0') +
         std::string("\0\0\0\x09\0\0\0\0\0", 9);
}

// How many bytes are accepted if they come in pieces of `piece`.
std::size_t AcceptedOf(absl::string_view data, std::size_t piece) {
  Http2Continuations continuations(2);
  for (std::size_t at = 0; at < data.size();) {
    const absl::string_view next = data.substr(at, piece);
    const std::size_t accepted = continuations.Accept(next);
    at += accepted;
    if (accepted < next.size()) return at;
  }
  return data.size();
}

TEST(Http2Continuations, CountsThoseInARowHoweverTheBytesAreCut) {
  const std::string good = absl::StrCat(
      kHttp2Preface, LookalikeFrame(1), LookalikeFrame(9), LookalikeFrame(9),
      LookalikeFrame(1), LookalikeFrame(9), LookalikeFrame(9));
  const std::string bad = absl::StrCat(good, LookalikeFrame(9));
  for (std::size_t piece = 1; piece <= bad.size(); ++piece) {
    EXPECT_EQ(AcceptedOf(good, piece), good.size()) << piece;
    EXPECT_EQ(AcceptedOf(bad, piece), good.size() + 8) << piece;
  }
}

TEST(Http2Continuations, AcceptsAnythingElse) {
  for (int type = 0; type < 256; ++type) {
    if (type == 9) continue;
    std::string input(kHttp2Preface);
    for (int i = 0; i < 10; ++i) {
      input += LookalikeFrame(static_cast<char>(type));
    }
    EXPECT_EQ(AcceptedOf(input, 7), input.size()) << type;
  }
}

}  // namespace
}  // namespace byoshin::http
