// Passwords: what a policy demands of them, and how they are kept.
//
//   kept::Password kept = HashPassword("Secret-1", kPasswordCost);
//   IsPassword("Secret-1", kept);  // true
#ifndef BYOSHIN_LOCAL_COGNITO_PASSWORD_H_
#define BYOSHIN_LOCAL_COGNITO_PASSWORD_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/kept.pb.h"

namespace byoshin::local::cognito {

// The parameters of scrypt (RFC 7914).
struct PasswordCost {
  int log2_cost = 0;
  int block_size = 0;
  int parallelism = 0;
};
// 32 MiB of memory and some hundredths of a second.
inline constexpr PasswordCost kPasswordCost = {
    .log2_cost = 15, .block_size = 8, .parallelism = 1};

// Both take long and are thread-safe. Each call has its own salt.
kept::Password HashPassword(absl::string_view password,
                            const PasswordCost& cost);
bool IsPassword(absl::string_view password, const kept::Password& kept);

struct PasswordPolicy {
  std::int64_t minimum_length = 0;
  bool require_uppercase = false;
  bool require_lowercase = false;
  bool require_numbers = false;
  bool require_symbols = false;
};

// InvalidPasswordException if the password does not conform.
absl::Status CheckPassword(absl::string_view password,
                           const PasswordPolicy& policy);

// A random password that conforms.
std::string NewPassword(const PasswordPolicy& policy);

// After failed attempts to sign in, the time until which all further ones are
// refused.
// https://docs.aws.amazon.com/cognito/latest/developerguide/authentication.html
absl::Time LockedUntil(int failures, absl::Time last_failure);
// Failures that are older than this are forgotten.
inline constexpr absl::Duration kFailuresRemembered = absl::Minutes(15);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_PASSWORD_H_
