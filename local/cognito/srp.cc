#include "local/cognito/srp.h"

#include <openssl/bn.h>
#include <openssl/dh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/crypto/sha256.h"
#include "local/cognito/secrets.h"

namespace byoshin::local::cognito {
namespace {

constexpr unsigned kGenerator = 2;
constexpr std::size_t kSrpSaltBytes = 16;
constexpr std::size_t kPrivateBytes = 32;
constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kGroupBytes = 384;
constexpr char kKeyInfo[] = "Caldera Derived Key\x01";

struct FreeNumber {
  void operator()(BIGNUM* number) const { BN_clear_free(number); }
};
using Number = std::unique_ptr<BIGNUM, FreeNumber>;

struct FreeNumberContext {
  void operator()(BN_CTX* context) const { BN_CTX_free(context); }
};

Number FromBytes(absl::string_view bytes) {
  return Number(BN_bin2bn(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                          static_cast<int>(bytes.size()), nullptr));
}

std::string ToBytes(const BIGNUM* number) {
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
  BN_bn2bin(number, reinterpret_cast<std::uint8_t*>(bytes.data()));
  return bytes;
}

// As a signed number has them: a zero precedes a byte whose first bit is set.
std::string Padded(std::string bytes) {
  if (bytes.empty() || (static_cast<std::uint8_t>(bytes[0]) & 0x80) != 0) {
    bytes.insert(bytes.begin(), '\0');
  }
  return bytes;
}

std::string TextOf(const crypto::Sha256Digest& digest) {
  return {digest.begin(), digest.end()};
}

std::string Hash(absl::string_view text) {
  return TextOf(crypto::Sha256(text));
}

// Arithmetic modulo the group's prime.
class Group {
 public:
  Group()
      : context_(BN_CTX_new()), prime_(BN_get_rfc3526_prime_3072(nullptr)) {}

  const BIGNUM* prime() const { return prime_.get(); }

  Number Power(const BIGNUM* base, const BIGNUM* exponent) const {
    Number result(BN_new());
    BN_mod_exp(result.get(), base, exponent, prime_.get(), context_.get());
    return result;
  }
  Number PowerOfGenerator(const BIGNUM* exponent) const {
    const Number generator(BN_new());
    BN_set_word(generator.get(), kGenerator);
    return Power(generator.get(), exponent);
  }
  Number Product(const BIGNUM* a, const BIGNUM* b) const {
    Number result(BN_new());
    BN_mod_mul(result.get(), a, b, prime_.get(), context_.get());
    return result;
  }
  Number Sum(const BIGNUM* a, const BIGNUM* b) const {
    Number result(BN_new());
    BN_mod_add(result.get(), a, b, prime_.get(), context_.get());
    return result;
  }
  // The multiplier k of the protocol.
  Number Multiplier() const {
    return FromBytes(Hash(absl::StrCat(Padded(ToBytes(prime_.get())),
                                       absl::string_view("\x02", 1))));
  }

 private:
  std::unique_ptr<BN_CTX, FreeNumberContext> context_;
  Number prime_;
};

// "us-east-1_a1B2c3D4e" is "a1B2c3D4e" here.
absl::string_view PoolName(absl::string_view pool_id) {
  return pool_id.substr(pool_id.find('_') + 1);
}

// Null if the text is not a number of the group's size.
Number FromHex(absl::string_view digits) {
  if (digits.empty() || digits.size() > 2 * (kGroupBytes + 1) ||
      !std::all_of(digits.begin(), digits.end(), [](char c) {
        return absl::ascii_isxdigit(static_cast<unsigned char>(c));
      })) {
    return nullptr;
  }
  const std::string even =
      digits.size() % 2 == 0 ? std::string(digits) : absl::StrCat("0", digits);
  return FromBytes(absl::HexStringToBytes(even));
}

}  // namespace

SrpVerifier NewSrpVerifier(const SrpIdentity& identity) {
  const Group group;
  // A salt without leading zeros has one form only.
  std::string salt = RandomBytes(kSrpSaltBytes);
  salt[0] = static_cast<char>(static_cast<std::uint8_t>(salt[0]) | 0x40);
  const std::string inner = Hash(absl::StrCat(
      PoolName(identity.pool_id), identity.user_id, ":", identity.password));
  const Number x = FromBytes(Hash(absl::StrCat(Padded(salt), inner)));
  return {.salt = salt,
          .verifier = ToBytes(group.PowerOfGenerator(x.get()).get())};
}

SrpServer BeginSrp(absl::string_view verifier) {
  const Group group;
  SrpServer server{.private_value = RandomBytes(kPrivateBytes)};
  const Number v = FromBytes(verifier);
  const Number masked = group.Product(group.Multiplier().get(), v.get());
  const Number power =
      group.PowerOfGenerator(FromBytes(server.private_value).get());
  server.public_value = absl::BytesToHexString(
      ToBytes(group.Sum(masked.get(), power.get()).get()));
  return server;
}

absl::StatusOr<std::string> SrpKey(absl::string_view client_public,
                                   const SrpServer& server,
                                   absl::string_view verifier) {
  const Group group;
  const Number a = FromHex(client_public);
  const Number one(BN_new());
  BN_set_word(one.get(), 1);
  // A multiple of the prime would make the key known to anybody.
  if (a == nullptr ||
      BN_is_zero(group.Product(a.get(), one.get()).get()) != 0) {
    return absl::InvalidArgumentError("SRP_A is invalid");
  }
  const Number b = FromHex(server.public_value);
  const std::string u =
      Hash(absl::StrCat(Padded(ToBytes(a.get())), Padded(ToBytes(b.get()))));
  const Number v = FromBytes(verifier);
  const Number factor = group.Power(v.get(), FromBytes(u).get());
  const Number shared = group.Power(group.Product(a.get(), factor.get()).get(),
                                    FromBytes(server.private_value).get());
  const std::string extracted = TextOf(crypto::HmacSha256(
      Padded(ToBytes(FromBytes(u).get())), Padded(ToBytes(shared.get()))));
  return TextOf(crypto::HmacSha256(extracted, kKeyInfo)).substr(0, kKeyBytes);
}

std::string SrpSignature(absl::string_view key, const SrpClaim& claim) {
  return absl::Base64Escape(TextOf(crypto::HmacSha256(
      key, absl::StrCat(PoolName(claim.pool_id), claim.user_id,
                        claim.secret_block, claim.timestamp))));
}

}  // namespace byoshin::local::cognito
