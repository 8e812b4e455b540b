// SHA-1 (RFC 3174), which the WebSocket handshake uses.
//
//   absl::Base64Escape(AsText(crypto::Sha1(key + kGuid)));
//
// Not for signatures: collisions are possible.
#ifndef BYOSHIN_CORE_CRYPTO_SHA1_H_
#define BYOSHIN_CORE_CRYPTO_SHA1_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

using Sha1Digest = std::array<uint8_t, 20>;

Sha1Digest Sha1(absl::string_view data);

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_SHA1_H_
