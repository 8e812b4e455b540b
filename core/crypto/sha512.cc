#include "core/crypto/sha512.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {
namespace {

using Sha512State = std::array<uint64_t, 8>;

constexpr std::size_t kSha512BlockBytes = 128;
constexpr std::size_t kSha512LengthBytes = 16;
constexpr std::size_t kSha512Steps = 80;

constexpr Sha512State kSha512InitialState = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
constexpr Sha512State kSha384InitialState = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
    0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
    0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};

constexpr std::array<uint64_t, kSha512Steps> kSha512Constants = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f,
    0xe9b5dba58189dbbc, 0x3956c25bf348b538, 0x59f111f1b605d019,
    0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242,
    0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3,
    0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65, 0x2de92c6f592b0275,
    0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f,
    0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc,
    0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6,
    0x92722c851482353b, 0xa2bfe8a14cf10364, 0xa81a664bbc423001,
    0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99,
    0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb,
    0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc,
    0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915,
    0xc67178f2e372532b, 0xca273eceea26619c, 0xd186b8c721c0c207,
    0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba,
    0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a,
    0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

uint64_t LoadBigEndian64(const uint8_t* bytes) {
  uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

void Sha512Compress(Sha512State& state, const uint8_t* block) {
  std::array<uint64_t, kSha512Steps> words;
  for (std::size_t i = 0; i < 16; ++i)
    words[i] = LoadBigEndian64(block + 8 * i);
  for (std::size_t i = 16; i < kSha512Steps; ++i) {
    const uint64_t w15 = words[i - 15];
    const uint64_t w2 = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] +
               (std::rotr(w15, 1) ^ std::rotr(w15, 8) ^ (w15 >> 7)) +
               (std::rotr(w2, 19) ^ std::rotr(w2, 61) ^ (w2 >> 6));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < kSha512Steps; ++i) {
    const uint64_t first =
        h + (std::rotr(e, 14) ^ std::rotr(e, 18) ^ std::rotr(e, 41)) +
        ((e & f) ^ (~e & g)) + kSha512Constants[i] + words[i];
    const uint64_t second =
        (std::rotr(a, 28) ^ std::rotr(a, 34) ^ std::rotr(a, 39)) +
        ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Sha512State change = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

// Blocks and lengths are twice as long as those of block_hash.h.
Sha512State Sha512Hash(Sha512State state, absl::string_view data) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(data.data());
  const std::size_t whole = data.size() - data.size() % kSha512BlockBytes;
  for (std::size_t i = 0; i < whole; i += kSha512BlockBytes) {
    Sha512Compress(state, bytes + i);
  }
  std::array<uint8_t, 2 * kSha512BlockBytes> tail{};
  const std::size_t rest = data.size() - whole;
  std::copy_n(bytes + whole, rest, tail.begin());
  tail[rest] = 0x80;
  const std::size_t tail_bytes =
      rest + 1 + kSha512LengthBytes <= kSha512BlockBytes
          ? kSha512BlockBytes
          : 2 * kSha512BlockBytes;
  const uint64_t bits = uint64_t{data.size()} * 8;
  for (std::size_t i = 0; i < 8; ++i) {
    tail[tail_bytes - 1 - i] = static_cast<uint8_t>(bits >> (8 * i));
  }
  for (std::size_t i = 0; i < tail_bytes; i += kSha512BlockBytes) {
    Sha512Compress(state, tail.data() + i);
  }
  return state;
}

template <typename Digest>
Digest Sha512DigestOf(const Sha512State& state) {
  Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<uint8_t>(state[i / 8] >> (8 * (7 - i % 8)));
  }
  return digest;
}

}  // namespace

Sha512Digest Sha512(absl::string_view data) {
  return Sha512DigestOf<Sha512Digest>(Sha512Hash(kSha512InitialState, data));
}

Sha384Digest Sha384(absl::string_view data) {
  return Sha512DigestOf<Sha384Digest>(Sha512Hash(kSha384InitialState, data));
}

}  // namespace byoshin::crypto
