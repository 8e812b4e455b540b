// Time-based one-time passwords (RFC 6238) with HMAC-SHA-1, as authenticator
// apps make them.
//
//   const std::string secret = NewTotpSecret();
//   ShowToUser(Base32Encode(secret));
//   std::optional<std::int64_t> step = FindTotpStep(secret, "755224", now);
#ifndef BYOSHIN_LOCAL_COGNITO_TOTP_H_
#define BYOSHIN_LOCAL_COGNITO_TOTP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::cognito {

inline constexpr absl::Duration kTotpStep = absl::Seconds(30);
inline constexpr int kTotpDigits = 6;
// How many steps a device's clock may be ahead or behind.
inline constexpr std::int64_t kTotpTolerance = 1;
inline constexpr std::size_t kTotpSecretBytes = 32;

std::string NewTotpSecret();

// The number of the step at `time`, counted from 1970.
std::int64_t TotpStepAt(absl::Time time);

// The code of a step, or of any other counter (RFC 4226).
std::string TotpCode(absl::string_view secret, std::int64_t step,
                     int digits = kTotpDigits);

// The step around `now` that has this code; nullopt if none does. A step must
// not be used twice: that is the caller's to check.
std::optional<std::int64_t> FindTotpStep(absl::string_view secret,
                                         absl::string_view code,
                                         absl::Time now);

// RFC 4648, without padding.
std::string Base32Encode(absl::string_view bytes);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_TOTP_H_
