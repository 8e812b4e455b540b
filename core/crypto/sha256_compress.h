// The inner step of SHA-256: mixes a block of a message into the state. Once in
// plain C++, once with the instructions that many x86 processors have for it.
//
//   Sha256Compress* compress = BestSha256Compress();
//   compress(state, block);
//
// For core/crypto/sha256.h, and only for it.
#ifndef BYOSHIN_CORE_CRYPTO_SHA256_COMPRESS_H_
#define BYOSHIN_CORE_CRYPTO_SHA256_COMPRESS_H_

#include <array>
#include <cstdint>

namespace byoshin::crypto {

using Sha256State = std::array<uint32_t, 8>;

// `block` has kBlockBytes of core/crypto/block_hash.h.
using Sha256Compress = void(Sha256State& state, const uint8_t* block);

void PortableSha256Compress(Sha256State& state, const uint8_t* block);

// The fastest that this processor can run. Thread-safe.
Sha256Compress* BestSha256Compress();

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_SHA256_COMPRESS_H_
