#include "local/jwt/rsa_key.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/jwt/base64url.h"

namespace byoshin::local::jwt {
namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;

struct FreeKeyContext {
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};

struct FreeDigestContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using DigestContext = std::unique_ptr<EVP_MD_CTX, FreeDigestContext>;

absl::Status Failure(absl::string_view action) {
  // Errors are kept for each thread; a later call must not see them.
  ERR_clear_error();
  return absl::InternalError(
      absl::StrCat("the cryptography library can't ", action));
}

std::shared_ptr<EVP_PKEY> Owned(EVP_PKEY* key) {
  return {key, [](EVP_PKEY* owned) { EVP_PKEY_free(owned); }};
}

const std::uint8_t* BytesOf(absl::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

absl::StatusOr<std::string> TextOf(const Bio& bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  if (size <= 0 || data == nullptr) return Failure("write a key");
  return std::string(data, static_cast<std::size_t>(size));
}

std::string JwkInteger(const BIGNUM* number) {
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  BN_bn2bin(number, reinterpret_cast<std::uint8_t*>(bytes.data()));
  return Base64UrlEncode(bytes);
}

}  // namespace

absl::StatusOr<RsaKey> RsaKey::Generate() {
  const std::unique_ptr<EVP_PKEY_CTX, FreeKeyContext> context(
      EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nullptr));
  EVP_PKEY* key = nullptr;
  if (context == nullptr || EVP_PKEY_keygen_init(context.get()) != 1 ||
      EVP_PKEY_CTX_set_rsa_keygen_bits(context.get(), kRsaKeyBits) != 1 ||
      EVP_PKEY_keygen(context.get(), &key) != 1) {
    return Failure("generate an RSA key");
  }
  return RsaKey(Owned(key));
}

absl::StatusOr<RsaKey> RsaKey::FromPem(absl::string_view pem) {
  if (pem.size() > std::numeric_limits<int>::max()) {
    return absl::InvalidArgumentError("the private key is too long");
  }
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (bio == nullptr) return Failure("read a key");
  // Without this function, it would ask for a password on the terminal.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  const std::shared_ptr<EVP_PKEY> key =
      Owned(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  if (key == nullptr || EVP_PKEY_id(key.get()) != EVP_PKEY_RSA ||
      EVP_PKEY_bits(key.get()) < kRsaKeyBits) {
    ERR_clear_error();
    return absl::InvalidArgumentError(
        absl::StrCat("the text is not an RSA private key of at least ",
                     kRsaKeyBits, " bits in PEM form"));
  }
  return RsaKey(key);
}

absl::StatusOr<std::string> RsaKey::ToPem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr ||
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0,
                                    nullptr, nullptr) != 1) {
    return Failure("write a private key");
  }
  return TextOf(bio);
}

absl::StatusOr<std::string> RsaKey::PublicKeyPem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || PEM_write_bio_PUBKEY(bio.get(), key_.get()) != 1) {
    return Failure("write a public key");
  }
  return TextOf(bio);
}

std::string RsaKey::JwkModulus() const {
  return JwkInteger(RSA_get0_n(EVP_PKEY_get0_RSA(key_.get())));
}

std::string RsaKey::JwkExponent() const {
  return JwkInteger(RSA_get0_e(EVP_PKEY_get0_RSA(key_.get())));
}

absl::StatusOr<std::string> RsaKey::Sign(absl::string_view data) const {
  const DigestContext context(EVP_MD_CTX_new());
  std::size_t size = 0;
  if (context == nullptr ||
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr,
                         key_.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, BytesOf(data),
                     data.size()) != 1) {
    return Failure("sign");
  }
  std::string signature(size, '\0');
  if (EVP_DigestSign(context.get(),
                     reinterpret_cast<std::uint8_t*>(signature.data()), &size,
                     BytesOf(data), data.size()) != 1) {
    return Failure("sign");
  }
  signature.resize(size);
  return signature;
}

bool RsaKey::Verify(absl::string_view data, absl::string_view signature) const {
  const DigestContext context(EVP_MD_CTX_new());
  const bool good =
      context != nullptr &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr,
                           key_.get()) == 1 &&
      EVP_DigestVerify(context.get(), BytesOf(signature), signature.size(),
                       BytesOf(data), data.size()) == 1;
  if (!good) ERR_clear_error();
  return good;
}

}  // namespace byoshin::local::jwt
