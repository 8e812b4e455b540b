#include "core/crypto/crc32.h"

#include <zlib.h>

#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::crypto {

uint32_t Crc32(absl::string_view data) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

}  // namespace byoshin::crypto
