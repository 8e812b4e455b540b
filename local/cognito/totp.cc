#include "local/cognito/totp.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/secrets.h"

namespace byoshin::local::cognito {
namespace {

constexpr std::size_t kSha1Bytes = 20;

std::array<std::uint8_t, kSha1Bytes> HmacSha1(absl::string_view key,
                                              absl::string_view data) {
  std::array<std::uint8_t, kSha1Bytes> mac{};
  unsigned int size = 0;
  if (HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const std::uint8_t*>(data.data()), data.size(),
           mac.data(), &size) == nullptr ||
      size != mac.size()) {
    std::cerr << "libcrypto has no HMAC-SHA-1\n";
    std::abort();
  }
  return mac;
}

std::string BigEndian(std::int64_t number) {
  constexpr int kBits = 64;
  std::string bytes;
  for (int shift = kBits - 8; shift >= 0; shift -= 8) {
    bytes.push_back(
        static_cast<char>(static_cast<std::uint64_t>(number) >> shift));
  }
  return bytes;
}

}  // namespace

std::string NewTotpSecret() { return RandomBytes(kTotpSecretBytes); }

std::int64_t TotpStepAt(absl::Time time) {
  return absl::ToUnixSeconds(time) / absl::ToInt64Seconds(kTotpStep);
}

std::string TotpCode(absl::string_view secret, std::int64_t step, int digits) {
  const std::array<std::uint8_t, kSha1Bytes> mac =
      HmacSha1(secret, BigEndian(step));
  // RFC 4226, section 5.3: four bytes from a place that the last byte names,
  // without the first bit.
  const std::size_t offset = mac.back() & 0x0fU;
  std::uint32_t number = 0;
  for (std::size_t i = offset; i < offset + 4; ++i) {
    number = (number << 8U) | mac[i];
  }
  number &= 0x7fffffffU;
  std::uint32_t limit = 1;
  for (int i = 0; i < digits; ++i) limit *= 10;
  return absl::StrFormat("%0*d", digits, number % limit);
}

std::optional<std::int64_t> FindTotpStep(absl::string_view secret,
                                         absl::string_view code,
                                         absl::Time now) {
  const std::int64_t current = TotpStepAt(now);
  std::optional<std::int64_t> found;
  for (std::int64_t step = current - kTotpTolerance;
       step <= current + kTotpTolerance; ++step) {
    if (AreEqualSecrets(TotpCode(secret, step), code)) found = step;
  }
  return found;
}

std::string Base32Encode(absl::string_view bytes) {
  constexpr absl::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  constexpr int kBits = 5;
  std::string text;
  std::uint32_t buffer = 0;
  int filled = 0;
  for (const char byte : bytes) {
    buffer = (buffer << 8U) | static_cast<std::uint8_t>(byte);
    for (filled += 8; filled >= kBits; filled -= kBits) {
      text.push_back(kAlphabet[(buffer >> (filled - kBits)) & 0x1fU]);
    }
  }
  if (filled > 0) {
    text.push_back(kAlphabet[(buffer << (kBits - filled)) & 0x1fU]);
  }
  return text;
}

}  // namespace byoshin::local::cognito
