// Tries the gateway's decompression on any bytes: what it accepts is within its
// limit, and what was compressed comes back. Also any Accept-Encoding.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/compression.h"

namespace byoshin::local {
namespace {

constexpr size_t kMaxTextBytes = 1 << 20;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void Try(absl::string_view bytes) {
  const absl::StatusOr<std::string> text = Gunzip(bytes, kMaxTextBytes);
  if (text.ok()) Require(text->size() <= kMaxTextBytes, "the limit is kept");
  const absl::StatusOr<std::string> again =
      Gunzip(Compress(bytes, ContentCoding::kGzip), kMaxTextBytes);
  Require(again.ok() && *again == bytes, "what was compressed comes back");
  const ContentCoding coding = ChooseCoding(bytes);
  Require(*CodingName(coding) != 0, "a coding has a name");
}

}  // namespace
}  // namespace byoshin::local

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
