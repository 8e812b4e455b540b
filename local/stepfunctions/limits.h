// The quotas of Step Functions.
// https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LIMITS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace byoshin::local::stepfunctions {

// Of state machines, executions, activities and aliases.
inline constexpr std::size_t kMaxNameLength = 80;

inline constexpr std::size_t kMaxTags = 50;

inline constexpr std::size_t kMaxMachines = 100'000;
inline constexpr std::size_t kMaxActivities = 100'000;
inline constexpr std::size_t kMaxVersions = 1000;
inline constexpr std::size_t kMaxAliases = 100;
inline constexpr int kAllWeight = 100;

inline constexpr std::int64_t kDefaultPageSize = 100;

// How long an execution can be described after it has ended, and its name is
// taken.
inline constexpr absl::Duration kRetention = absl::Hours(24 * 90);
// How long after its end an execution can be redriven.
inline constexpr absl::Duration kRedrivePeriod = absl::Hours(24 * 14);
// How long GetActivityTask waits for a task.
inline constexpr absl::Duration kActivityPollTime = absl::Seconds(60);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LIMITS_H_
