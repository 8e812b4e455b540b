#include "core/crypto/hex.h"

#include <cstdint>
#include <string>

#include "absl/types/span.h"

namespace byoshin::crypto {

std::string HexEncode(absl::Span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(2 * bytes.size(), '\0');
  char* out = text.data();
  for (const uint8_t byte : bytes) {
    *out++ = kDigits[byte >> 4];
    *out++ = kDigits[byte & 0xf];
  }
  return text;
}

}  // namespace byoshin::crypto
