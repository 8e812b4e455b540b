#include "core/crypto/hex.h"

#include <cstdint>
#include <string>

#include "absl/types/span.h"

namespace byoshin::crypto {

std::string HexEncode(absl::Span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const uint8_t byte : bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 0xf]);
  }
  return text;
}

}  // namespace byoshin::crypto
