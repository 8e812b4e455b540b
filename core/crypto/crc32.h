// CRC-32, as in zip files and Ethernet: the checksum of DynamoDB's answers.
//
//   if (crypto::Crc32(body) != announced) ...  // damaged
//
// It detects accidental damage, not manipulation.
#ifndef BYOSHIN_CORE_CRYPTO_CRC32_H_
#define BYOSHIN_CORE_CRYPTO_CRC32_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

uint32_t Crc32(absl::string_view data);

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_CRC32_H_
