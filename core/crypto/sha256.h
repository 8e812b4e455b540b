// SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104), which AWS's request
// signatures are made of.
//
//   crypto::HexEncode(crypto::Sha256(body));
//   crypto::Sha256Digest key = crypto::HmacSha256("AWS4" + secret, "20150830");
//   crypto::Sha256Digest next = crypto::HmacSha256(key, "us-east-1");
//
// An implementation of our own, because the TLS library differs between the
// build's two modes and its headers are not to be relied on. Not made to resist
// an observer who measures time on the same machine.
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
