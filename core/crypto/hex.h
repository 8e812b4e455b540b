// Bytes as hexadecimal text.
//
//   crypto::HexEncode(crypto::Sha256("abc"));  // "ba7816bf8f01cfea4141..."
#ifndef BYOSHIN_CORE_CRYPTO_HEX_H_
#define BYOSHIN_CORE_CRYPTO_HEX_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"

namespace byoshin::crypto {

// Two lower-case digits per byte, as in AWS's signatures and checksums.
std::string HexEncode(absl::Span<const uint8_t> bytes);

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_HEX_H_
