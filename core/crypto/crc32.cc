#include "core/crypto/crc32.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {
namespace {

// So many bytes are taken at a time: what each does does not depend on what the
// others do, so the processor can look them up side by side.
constexpr std::size_t kStride = 8;

using Table = std::array<uint32_t, 256>;

// What a byte does to the checksum, its remainder on division by the
// polynomial, bits reversed; then what it does with one byte behind it, and so
// on.
constexpr std::array<Table, kStride> MakeTables() {
  constexpr uint32_t kPolynomial = 0xedb88320;
  std::array<Table, kStride> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ (remainder & 1 ? kPolynomial : 0);
    }
    tables[0][byte] = remainder;
  }
  for (std::size_t behind = 1; behind < kStride; ++behind) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[behind - 1][byte];
      tables[behind][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr std::array<Table, kStride> kTables = MakeTables();

}  // namespace

uint32_t Crc32(absl::string_view data) {
  uint32_t crc = 0xffffffff;
  const auto* bytes = reinterpret_cast<const uint8_t*>(data.data());
  std::size_t left = data.size();
  for (; left >= kStride; left -= kStride, bytes += kStride) {
    crc = kTables[7][(crc ^ bytes[0]) & 0xff] ^
          kTables[6][((crc >> 8) ^ bytes[1]) & 0xff] ^
          kTables[5][((crc >> 16) ^ bytes[2]) & 0xff] ^
          kTables[4][(crc >> 24) ^ bytes[3]] ^ kTables[3][bytes[4]] ^
          kTables[2][bytes[5]] ^ kTables[1][bytes[6]] ^ kTables[0][bytes[7]];
  }
  for (; left > 0; --left, ++bytes) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ *bytes) & 0xff];
  }
  return ~crc;
}

}  // namespace byoshin::crypto
