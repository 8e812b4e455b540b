#include "core/crypto/sha256.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/crypto/block_hash.h"
#include "core/crypto/sha256_compress.h"

namespace byoshin::crypto {
namespace {

// The first 32 bits of the fractional parts of the square roots of the first 8
// primes.
constexpr Sha256State kSha256InitialState = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                             0xa54ff53a, 0x510e527f, 0x9b05688c,
                                             0x1f83d9ab, 0x5be0cd19};
Sha256Digest Finish(Sha256State state, absl::string_view data,
                    uint64_t bytes_before) {
  Sha256Compress* const compress = BestSha256Compress();
  ForEachBlock(
      data, ByteOrder::kBigEndian,
      [&](const uint8_t* block) { compress(state, block); }, bytes_before);
  Sha256Digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

absl::string_view AsText(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

Sha256Digest Sha256(absl::string_view data) {
  return Finish(kSha256InitialState, data, 0);
}

Sha256Digest HmacSha256(absl::string_view key, absl::string_view data) {
  std::array<uint8_t, kBlockBytes> padded{};
  if (key.size() > kBlockBytes) {
    const Sha256Digest short_key = Sha256(key);
    std::copy(short_key.begin(), short_key.end(), padded.begin());
  } else {
    std::copy(key.begin(), key.end(), padded.begin());
  }

  Sha256Compress* const compress = BestSha256Compress();
  // One block of the key before the message, another before its digest.
  for (uint8_t& byte : padded) byte ^= 0x36;
  Sha256State inner = kSha256InitialState;
  compress(inner, padded.data());
  for (uint8_t& byte : padded) byte ^= 0x36 ^ 0x5c;
  Sha256State outer = kSha256InitialState;
  compress(outer, padded.data());
  return Finish(outer, AsText(Finish(inner, data, kBlockBytes)), kBlockBytes);
}

Sha256Digest HmacSha256(const Sha256Digest& key, absl::string_view data) {
  return HmacSha256(AsText(key), data);
}

}  // namespace byoshin::crypto
