#include "core/crypto/sha256_compress.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace byoshin::crypto {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
alignas(16) constexpr std::array<uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t LoadBigEndian(const uint8_t* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 |
         uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]};
}

std::array<uint32_t, 64> Schedule(const uint8_t* block) {
  std::array<uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = LoadBigEndian(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t) {
    const uint32_t s0 =
        std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const uint32_t s1 =
        std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  return w;
}

#ifdef __x86_64__

bool HasShaInstructions() {
  constexpr unsigned kSsse3 = 1u << 9;
  constexpr unsigned kSse41 = 1u << 19;
  constexpr unsigned kSha = 1u << 29;
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  if ((c & kSsse3) == 0 || (c & kSse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & kSha) != 0;
}

// The instructions want the state as two vectors, ABEF and CDGH from the
// highest word to the lowest, and take the message four words at a time.
__attribute__((target("sha,sse4.1,ssse3"))) void ShaInstructionsCompress(
    Sha256State& state, const uint8_t* block) {
  auto* words = reinterpret_cast<__m128i*>(state.data());
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
  const __m128i abef_before = _mm_alignr_epi8(badc, efgh, 8);
  const __m128i cdgh_before = _mm_blend_epi16(efgh, badc, 0xF0);

  const __m128i big_endian =
      _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  const auto* bytes = reinterpret_cast<const __m128i*>(block);
  __m128i w[4];
  for (int i = 0; i < 4; ++i) {
    w[i] = _mm_shuffle_epi8(_mm_loadu_si128(bytes + i), big_endian);
  }

  __m128i abef = abef_before;
  __m128i cdgh = cdgh_before;
  const auto* constants =
      reinterpret_cast<const __m128i*>(kRoundConstants.data());
  for (int i = 0; i < 16; ++i) {
    __m128i& now = w[i % 4];
    const __m128i sum = _mm_add_epi32(now, _mm_load_si128(constants + i));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    // These words are no longer needed and are replaced by those of 16 rounds
    // later.
    const __m128i& last = w[(i + 3) % 4];
    now = _mm_sha256msg2_epu32(
        _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]),
                      _mm_alignr_epi8(last, w[(i + 2) % 4], 4)),
        last);
  }
  abef = _mm_add_epi32(abef, abef_before);
  cdgh = _mm_add_epi32(cdgh, cdgh_before);

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#endif  // __x86_64__

}  // namespace

// Letters as in FIPS 180-4, section 6.2.2.
void PortableSha256Compress(Sha256State& state, const uint8_t* block) {
  const std::array<uint32_t, 64> w = Schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t choice = (e & f) ^ (~e & g);
    const uint32_t t1 = h + sum1 + choice + kRoundConstants[t] + w[t];
    const uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + sum0 + majority;
  }
  const Sha256State change = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

Sha256Compress* BestSha256Compress() {
#ifdef __x86_64__
  static const bool has_instructions = HasShaInstructions();
  if (has_instructions) return ShaInstructionsCompress;
#endif
  return PortableSha256Compress;
}

}  // namespace byoshin::crypto
