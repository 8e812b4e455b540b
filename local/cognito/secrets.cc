#include "local/cognito/secrets.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "local/jwt/base64url.h"

namespace byoshin::local::cognito {
namespace {

constexpr std::size_t kTokenBytes = 48;
constexpr std::size_t kByteValues = 256;

}  // namespace

std::string RandomBytes(std::size_t size) {
  std::string bytes(size, '\0');
  if (RAND_bytes(reinterpret_cast<std::uint8_t*>(bytes.data()),
                 static_cast<int>(size)) != 1) {
    std::cerr << "the system has no random numbers\n";
    std::abort();
  }
  return bytes;
}

std::string RandomText(std::size_t length, absl::string_view alphabet) {
  // Larger bytes would make the first characters more probable.
  const std::size_t limit = kByteValues - kByteValues % alphabet.size();
  std::string text;
  while (text.size() < length) {
    for (const char byte : RandomBytes(length)) {
      const auto value = static_cast<std::uint8_t>(byte);
      if (value >= limit) continue;
      text.push_back(alphabet[value % alphabet.size()]);
      if (text.size() == length) break;
    }
  }
  return text;
}

std::string NewSecretToken() {
  return jwt::Base64UrlEncode(RandomBytes(kTokenBytes));
}

std::string HashOfToken(absl::string_view token) {
  return crypto::HexEncode(crypto::Sha256(token));
}

bool AreEqualSecrets(absl::string_view a, absl::string_view b) {
  return a.size() == b.size() &&
         CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace byoshin::local::cognito
