// The limits and defaults of Cognito user pools.
// https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html
#ifndef BYOSHIN_LOCAL_COGNITO_LIMITS_H_
#define BYOSHIN_LOCAL_COGNITO_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace byoshin::local::cognito {

inline constexpr std::int64_t kMaxNameLength = 128;
inline constexpr std::size_t kMaxAttributeLength = 2048;
inline constexpr std::size_t kMaxPasswordLength = 256;
inline constexpr std::size_t kMaxCustomAttributes = 50;
inline constexpr std::int64_t kMaxListedPools = 60;
inline constexpr std::int64_t kMaxListedUsers = 60;

// Password policies.
inline constexpr std::int64_t kDefaultPasswordLength = 8;
inline constexpr std::int64_t kDefaultTemporaryDays = 7;

// Tokens.
inline constexpr absl::Duration kDefaultTokenLife = absl::Hours(1);
inline constexpr absl::Duration kMinTokenLife = absl::Minutes(5);
inline constexpr absl::Duration kMaxTokenLife = absl::Hours(24);
inline constexpr absl::Duration kDefaultRefreshLife = absl::Hours(24 * 30);
inline constexpr absl::Duration kMinRefreshLife = absl::Minutes(60);
inline constexpr absl::Duration kMaxRefreshLife = absl::Hours(24 * 3650);
inline constexpr std::int64_t kMaxRefreshGraceSeconds = 60;

// How long the Session of a challenge is valid.
inline constexpr std::int64_t kDefaultSessionMinutes = 3;

// Codes that are sent to users.
inline constexpr absl::Duration kConfirmationCodeLife = absl::Hours(24);
inline constexpr absl::Duration kResetCodeLife = absl::Hours(1);
inline constexpr absl::Duration kVerificationCodeLife = absl::Hours(24);
inline constexpr std::size_t kCodeLength = 6;
inline constexpr int kMaxCodeFailures = 5;

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_LIMITS_H_
