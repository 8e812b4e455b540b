#include "core/crypto/sha1.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/crypto/block_hash.h"

namespace byoshin::crypto {
namespace {

using Sha1State = std::array<uint32_t, 5>;

constexpr Sha1State kSha1InitialState = {0x67452301, 0xefcdab89, 0x98badcfe,
                                         0x10325476, 0xc3d2e1f0};
constexpr std::size_t kSha1Steps = 80;

// The function of a step, with its constant.
uint32_t Sha1Mix(std::size_t step, uint32_t b, uint32_t c, uint32_t d) {
  switch (step / 20) {
    case 0:
      return ((b & c) | (~b & d)) + 0x5a827999;
    case 1:
      return (b ^ c ^ d) + 0x6ed9eba1;
    case 2:
      return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    default:
      return (b ^ c ^ d) + 0xca62c1d6;
  }
}

void Sha1Compress(Sha1State& state, const uint8_t* block) {
  std::array<uint32_t, kSha1Steps> words;
  for (std::size_t i = 0; i < 16; ++i) {
    words[i] = uint32_t{block[4 * i]} << 24 | uint32_t{block[4 * i + 1]} << 16 |
               uint32_t{block[4 * i + 2]} << 8 | uint32_t{block[4 * i + 3]};
  }
  for (std::size_t i = 16; i < kSha1Steps; ++i) {
    words[i] = std::rotl(
        words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (std::size_t i = 0; i < kSha1Steps; ++i) {
    const uint32_t next = std::rotl(a, 5) + Sha1Mix(i, b, c, d) + e + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  const Sha1State change = {a, b, c, d, e};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

}  // namespace

Sha1Digest Sha1(absl::string_view data) {
  Sha1State state = kSha1InitialState;
  ForEachBlock(data, ByteOrder::kBigEndian,
               [&state](const uint8_t* block) { Sha1Compress(state, block); });
  Sha1Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (3 - i % 4)));
  }
  return digest;
}

}  // namespace byoshin::crypto
