// The compression function of SHA-256, in plain C++ and with the SHA
// instructions of x86 processors.
//
//   Sha256Compress* compress = BestSha256Compress();
//   compress(state, block);
//
// Used only by core/crypto/sha256.h.
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
