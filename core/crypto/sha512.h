// SHA-512 and SHA-384 (FIPS 180-4), which Step Functions offers to state
// machines.
//
//   crypto::HexEncode(crypto::Sha512("abc"));  // "ddaf35a193617abacc41..."
#ifndef BYOSHIN_CORE_CRYPTO_SHA512_H_
#define BYOSHIN_CORE_CRYPTO_SHA512_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

using Sha512Digest = std::array<uint8_t, 64>;
using Sha384Digest = std::array<uint8_t, 48>;

Sha512Digest Sha512(absl::string_view data);
Sha384Digest Sha384(absl::string_view data);

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_SHA512_H_
