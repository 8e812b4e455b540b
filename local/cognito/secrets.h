// Random texts that nobody can guess, and how texts are compared and kept that
// must stay secret.
#ifndef BYOSHIN_LOCAL_COGNITO_SECRETS_H_
#define BYOSHIN_LOCAL_COGNITO_SECRETS_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cognito {

inline constexpr absl::string_view kDigits = "0123456789";
inline constexpr absl::string_view kLowerCaseAndDigits =
    "abcdefghijklmnopqrstuvwxyz0123456789";
inline constexpr absl::string_view kLettersAndDigits =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

// Both are thread-safe, and come from the system's random numbers.
std::string RandomBytes(std::size_t size);
// Each character is one of `alphabet`, all with the same probability.
std::string RandomText(std::size_t length, absl::string_view alphabet);

// A new token, in base 64 for URLs.
std::string NewSecretToken();
// What is kept of such a token: not enough to use it.
std::string HashOfToken(absl::string_view token);

// Takes the same time wherever they differ.
bool AreEqualSecrets(absl::string_view a, absl::string_view b);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_SECRETS_H_
