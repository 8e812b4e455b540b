#include "core/crypto/md5.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/crypto/block_hash.h"

namespace byoshin::crypto {
namespace {

using Md5State = std::array<uint32_t, 4>;

constexpr Md5State kMd5InitialState = {0x67452301, 0xefcdab89, 0x98badcfe,
                                       0x10325476};

// The first 32 bits of the fractional parts of |sin(1)| to |sin(64)|.
constexpr std::array<uint32_t, 64> kRoundConstants = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
    0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
    0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
    0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
    0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
    0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

constexpr int kRotations[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

uint32_t LoadLittleEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 |
         uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

// The function of a round, and the word of the block that a step uses.
struct Step {
  uint32_t mixed;
  std::size_t word;
};

Step StepOf(std::size_t i, uint32_t b, uint32_t c, uint32_t d) {
  switch (i / 16) {
    case 0:
      return {(b & c) | (~b & d), i};
    case 1:
      return {(d & b) | (~d & c), (5 * i + 1) % 16};
    case 2:
      return {b ^ c ^ d, (3 * i + 5) % 16};
    default:
      return {c ^ (b | ~d), (7 * i) % 16};
  }
}

void Compress(Md5State& state, const uint8_t* block) {
  auto [a, b, c, d] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const Step step = StepOf(i, b, c, d);
    const uint32_t sum = a + step.mixed + kRoundConstants[i] +
                         LoadLittleEndian(block + 4 * step.word);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kRotations[i / 16][i % 4]);
  }
  const Md5State change = {a, b, c, d};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

}  // namespace

Md5Digest Md5(absl::string_view data) {
  Md5State state = kMd5InitialState;
  ForEachBlock(data, ByteOrder::kLittleEndian,
               [&state](const uint8_t* block) { Compress(state, block); });
  Md5Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (i % 4)));
  }
  return digest;
}

}  // namespace byoshin::crypto
