// An RSA key pair that signs with RS256: RSASSA-PKCS1-v1_5 with SHA-256
// (RFC 7518, section 3.3).
//
//   absl::StatusOr<RsaKey> key = RsaKey::Generate();
//   if (!key.ok()) return key.status();
//   absl::StatusOr<std::string> signature = key->Sign("text");
//   key->Verify("text", *signature);  // true
//
// Uses only the functions that OpenSSL and BoringSSL have in common: which of
// them it is depends on the build mode.
#ifndef BYOSHIN_LOCAL_JWT_RSA_KEY_H_
#define BYOSHIN_LOCAL_JWT_RSA_KEY_H_

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::jwt {

inline constexpr int kRsaKeyBits = 2048;

// Immutable, so thread-safe. Copies share the key.
class RsaKey {
 public:
  // Takes some tenths of a second.
  static absl::StatusOr<RsaKey> Generate();
  // InvalidArgument if the text is not an RSA private key of at least
  // kRsaKeyBits.
  static absl::StatusOr<RsaKey> FromPem(absl::string_view pem);

  // The private key, as PKCS #8.
  absl::StatusOr<std::string> ToPem() const;
  absl::StatusOr<std::string> PublicKeyPem() const;

  // The modulus and the exponent of the public key, as a JWK has them: unsigned
  // big-endian integers in base 64 for URLs (RFC 7518, section 6.3.1).
  std::string JwkModulus() const;
  std::string JwkExponent() const;

  absl::StatusOr<std::string> Sign(absl::string_view data) const;
  bool Verify(absl::string_view data, absl::string_view signature) const;

 private:
  explicit RsaKey(std::shared_ptr<EVP_PKEY> key) : key_(std::move(key)) {}

  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace byoshin::local::jwt

#endif  // BYOSHIN_LOCAL_JWT_RSA_KEY_H_
