// Secrets Manager's limits.
// https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_LIMITS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace byoshin::local::secretsmanager {

inline constexpr std::size_t kMaxNameLength = 512;
// Bytes.
inline constexpr std::size_t kMaxValueSize = 65536;
inline constexpr std::size_t kMinTokenLength = 32;
inline constexpr std::size_t kMaxTokenLength = 64;
inline constexpr std::size_t kMaxStages = 20;
inline constexpr std::size_t kMaxTags = 50;
// Of one secret. Beyond it, the oldest versions without a stage are removed.
inline constexpr std::size_t kMaxVersions = 100;

inline constexpr std::int64_t kMaxListed = 100;
inline constexpr std::int64_t kMaxBatch = 20;

// The recovery window, in days.
inline constexpr std::int64_t kDefaultRecoveryDays = 30;
inline constexpr std::int64_t kMinRecoveryDays = 7;
inline constexpr std::int64_t kMaxRecoveryDays = 30;

inline constexpr std::int64_t kDefaultPasswordLength = 32;
inline constexpr std::int64_t kMaxPasswordLength = 4096;

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_LIMITS_H_
