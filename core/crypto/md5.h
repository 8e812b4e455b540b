// MD5 (RFC 1321): the checksum of SQS's messages.
//
//   if (answer.md5 != crypto::HexEncode(crypto::Md5(body))) ...  // damaged
//
// Only for detecting damage: collisions are easy to make.
#ifndef BYOSHIN_CORE_CRYPTO_MD5_H_
#define BYOSHIN_CORE_CRYPTO_MD5_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

using Md5Digest = std::array<uint8_t, 16>;

Md5Digest Md5(absl::string_view data);

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_MD5_H_
