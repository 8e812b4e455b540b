#include "core/crypto/crc32.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {
namespace {

// What each byte does to the checksum: its remainder on division by the
// polynomial, bits reversed.
constexpr std::array<uint32_t, 256> MakeTable() {
  constexpr uint32_t kPolynomial = 0xedb88320;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ (remainder & 1 ? kPolynomial : 0);
    }
    table[byte] = remainder;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = MakeTable();

}  // namespace

uint32_t Crc32(absl::string_view data) {
  uint32_t crc = 0xffffffff;
  for (const char c : data) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~crc;
}

}  // namespace byoshin::crypto
