// Random passwords, by the rules of GetRandomPassword.
//
//   absl::StatusOr<std::string> password =
//       NewPassword({.length = 20, .exclude_characters = "\"@/\\"});
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_RANDOM_PASSWORD_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_RANDOM_PASSWORD_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "local/secretsmanager/limits.h"

namespace byoshin::local::secretsmanager {

struct PasswordRules {
  std::int64_t length = kDefaultPasswordLength;
  std::string exclude_characters{};
  bool exclude_lowercase = false;
  bool exclude_uppercase = false;
  bool exclude_numbers = false;
  bool exclude_punctuation = false;
  bool include_space = false;
  // At least one character of each type that is included.
  bool require_each_included_type = true;
};

// From the system's random numbers, which are fit for secrets. An error of the
// API if the rules can't be met. Thread-safe.
absl::StatusOr<std::string> NewPassword(const PasswordRules& rules);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_RANDOM_PASSWORD_H_
