// Input for tests of hashes.
#ifndef BYOSHIN_CORE_CRYPTO_SAMPLE_H_
#define BYOSHIN_CORE_CRYPTO_SAMPLE_H_

#include <string>

namespace byoshin::crypto {

// Bytes that differ from each other and from those of other lengths.
inline std::string Sample(int length) {
  std::string bytes;
  for (int i = 0; i < length; ++i) {
    bytes.push_back(static_cast<char>((i * 7 + length) & 0xff));
  }
  return bytes;
}

}  // namespace byoshin::crypto

#endif  // BYOSHIN_CORE_CRYPTO_SAMPLE_H_
