// The common part of SHA-256, SHA-1 and MD5: the message is split into blocks
// of 64 bytes and padded with a mark, zeros and its length.
#ifndef BYOSHIN_CORE_CRYPTO_BLOCK_HASH_H_
#define BYOSHIN_CORE_CRYPTO_BLOCK_HASH_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

inline constexpr std::size_t kBlockBytes = 64;

enum class ByteOrder { kBigEndian, kLittleEndian };

// Calls `compress` with each block, a `const uint8_t*`, of `data` and its
// padding. `bytes_before` is the length, a multiple of kBlockBytes, of what
// was compressed before `data` and belongs to the same message.
template <typename Compress>
void ForEachBlock(absl::string_view data, ByteOrder length_order,
                  Compress compress, uint64_t bytes_before = 0) {
  constexpr std::size_t kLengthBytes = 8;
  const auto* bytes = reinterpret_cast<const uint8_t*>(data.data());
  const std::size_t whole = data.size() - data.size() % kBlockBytes;
  for (std::size_t i = 0; i < whole; i += kBlockBytes) compress(bytes + i);

  // The mark and the length may need another block.
  std::array<uint8_t, 2 * kBlockBytes> tail{};
  const std::size_t rest = data.size() - whole;
  std::copy_n(bytes + whole, rest, tail.begin());
  tail[rest] = 0x80;
  const std::size_t tail_bytes =
      rest + 1 + kLengthBytes <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
  const uint64_t bits = (bytes_before + data.size()) * 8;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    const std::size_t shift =
        8 * (length_order == ByteOrder::kBigEndian ? kLengthBytes - 1 - i : i);
    tail[tail_bytes - kLengthBytes + i] = static_cast<uint8_t>(bits >> shift);
  }
  for (std::size_t i = 0; i < tail_bytes; i += kBlockBytes) {
    compress(tail.data() + i);
  }
}

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_BLOCK_HASH_H_
