// SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104), for AWS's request
// signatures.
//
//   crypto::HexEncode(crypto::Sha256(body));
//   crypto::Sha256Digest key = crypto::HmacSha256("AWS4" + secret, "20150830");
//   crypto::Sha256Digest next = crypto::HmacSha256(key, "us-east-1");
//
// Implemented here because the TLS library differs between the two build modes.
// Not hardened against timing attacks.
#ifndef BYOSHIN_CORE_CRYPTO_SHA256_H_
#define BYOSHIN_CORE_CRYPTO_SHA256_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

using Sha256Digest = std::array<uint8_t, 32>;

Sha256Digest Sha256(absl::string_view data);

Sha256Digest HmacSha256(absl::string_view key, absl::string_view data);
Sha256Digest HmacSha256(const Sha256Digest& key, absl::string_view data);

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_SHA256_H_
