#include "local/cognito/password.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/errors.h"
#include "local/cognito/limits.h"
#include "local/cognito/secrets.h"

namespace byoshin::local::cognito {
namespace {

constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kHashBytes = 32;
// More than the largest cost that is used needs: 128 * 8 * 2^15 bytes.
constexpr std::size_t kMaxScryptBytes = std::size_t{64} << 20;

// https://docs.aws.amazon.com/cognito/latest/developerguide/managing-users-passwords.html
constexpr absl::string_view kSymbols = "^$*.[]{}()?\"!@#%&/\\,><':;|_~`=+-";
constexpr std::size_t kMinNewPassword = 12;

constexpr int kFreeFailures = 5;
constexpr int kMaxLockDoublings = 10;

std::string Scrypt(absl::string_view password, const kept::Password& kept) {
  std::string hash(kHashBytes, '\0');
  const std::uint64_t cost = std::uint64_t{1} << kept.log2_cost();
  if (EVP_PBE_scrypt(
          password.data(), password.size(),
          reinterpret_cast<const std::uint8_t*>(kept.salt().data()),
          kept.salt().size(), cost,
          static_cast<std::uint64_t>(kept.block_size()),
          static_cast<std::uint64_t>(kept.parallelism()), kMaxScryptBytes,
          reinterpret_cast<std::uint8_t*>(hash.data()), hash.size()) != 1) {
    std::cerr << "a password can't be hashed: there is not enough memory\n";
    std::abort();
  }
  return hash;
}

bool IsSymbol(char c) { return kSymbols.find(c) != kSymbols.npos; }

bool HasAny(absl::string_view text, bool (*is)(char)) {
  return std::any_of(text.begin(), text.end(), is);
}

bool IsUpper(char c) {
  return absl::ascii_isupper(static_cast<unsigned char>(c));
}
bool IsLower(char c) {
  return absl::ascii_islower(static_cast<unsigned char>(c));
}
bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

absl::Status DoesNotConform(absl::string_view why) {
  return ApiError("InvalidPasswordException",
                  absl::StrCat("Password did not conform with policy: ", why));
}

}  // namespace

kept::Password HashPassword(absl::string_view password,
                            const PasswordCost& cost) {
  kept::Password kept;
  kept.set_salt(RandomBytes(kSaltBytes));
  kept.set_log2_cost(cost.log2_cost);
  kept.set_block_size(cost.block_size);
  kept.set_parallelism(cost.parallelism);
  kept.set_hash(Scrypt(password, kept));
  return kept;
}

bool IsPassword(absl::string_view password, const kept::Password& kept) {
  return !kept.hash().empty() &&
         AreEqualSecrets(Scrypt(password, kept), kept.hash());
}

absl::Status CheckPassword(absl::string_view password,
                           const PasswordPolicy& policy) {
  if (password.size() > kMaxPasswordLength) {
    return InvalidParameterError(absl::StrCat(
        "1 validation error detected: Value at 'password' failed to satisfy "
        "constraint: Member must have length less than or equal to ",
        kMaxPasswordLength));
  }
  if (static_cast<std::int64_t>(password.size()) < policy.minimum_length) {
    return DoesNotConform("Password not long enough");
  }
  if (policy.require_uppercase && !HasAny(password, IsUpper)) {
    return DoesNotConform("Password must have uppercase characters");
  }
  if (policy.require_lowercase && !HasAny(password, IsLower)) {
    return DoesNotConform("Password must have lowercase characters");
  }
  if (policy.require_numbers && !HasAny(password, IsDigit)) {
    return DoesNotConform("Password must have numeric characters");
  }
  if (policy.require_symbols && !HasAny(password, IsSymbol)) {
    return DoesNotConform("Password must have symbol characters");
  }
  if (!password.empty() &&
      (password.front() == ' ' || password.back() == ' ')) {
    return DoesNotConform("Password must not begin or end with a space");
  }
  return absl::OkStatus();
}

std::string NewPassword(const PasswordPolicy& policy) {
  const auto length = std::max(kMinNewPassword,
                               static_cast<std::size_t>(policy.minimum_length));
  // One of each kind satisfies any policy.
  return absl::StrCat(RandomText(length, kLettersAndDigits),
                      RandomText(1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
                      RandomText(1, "abcdefghijklmnopqrstuvwxyz"),
                      RandomText(1, kDigits), RandomText(1, "!@#%&_+-"));
}

absl::Time LockedUntil(int failures, absl::Time last_failure) {
  if (failures < kFreeFailures) return absl::InfinitePast();
  const int doublings = std::min(failures - kFreeFailures, kMaxLockDoublings);
  return last_failure + std::min(absl::Seconds(std::int64_t{1} << doublings),
                                 kFailuresRemembered);
}

}  // namespace byoshin::local::cognito
