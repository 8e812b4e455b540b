#include "local/dashboard/time_range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/time/time.h"

namespace byoshin::local::dashboard {
namespace {

// Towards the past, before 1970 too.
std::int64_t FloorDivide(absl::Duration dividend, absl::Duration divisor) {
  absl::Duration rest;
  const std::int64_t quotient = absl::IDivDuration(dividend, divisor, &rest);
  return rest < absl::ZeroDuration() ? quotient - 1 : quotient;
}

std::int64_t FloorIndex(absl::Time time, absl::Duration length) {
  return FloorDivide(time - absl::UnixEpoch(), length);
}

// The first multiple of `length` that is not before `time`.
std::int64_t CeilIndex(absl::Time time, absl::Duration length) {
  return -FloorDivide(absl::UnixEpoch() - time, length);
}

std::int64_t BucketsNeeded(const TimeRange& range, absl::Duration length) {
  return CeilIndex(range.to, length) - FloorIndex(range.from, length);
}

absl::Duration BucketLength(const TimeRange& range, absl::Duration step,
                            int max_buckets) {
  const std::int64_t steps = BucketsNeeded(range, step);
  std::int64_t per_bucket = std::max<std::int64_t>(
      (steps + max_buckets - 1) / max_buckets, std::int64_t{1});
  // Aligned buckets may need one more at the edges. This ends: a range that is
  // no longer than a bucket lies in at most two.
  while (BucketsNeeded(range, per_bucket * step) > max_buckets) ++per_bucket;
  return per_bucket * step;
}

}  // namespace

std::int64_t CountSteps(const TimeRange& range, absl::Duration step) {
  return std::max<std::int64_t>(
      CeilIndex(range.to, step) - CeilIndex(range.from, step), 0);
}

Buckets::Buckets(const TimeRange& range, absl::Duration step, int max_buckets)
    : length_(BucketLength(range, step, max_buckets)),
      from_(absl::UnixEpoch() + FloorIndex(range.from, length_) * length_),
      count_(static_cast<std::size_t>(
          std::max(BucketsNeeded(range, length_), std::int64_t{1}))) {}

std::optional<std::size_t> Buckets::IndexOf(absl::Time time) const {
  if (time < from_ || time >= StartOf(count_)) return std::nullopt;
  return static_cast<std::size_t>(FloorDivide(time - from_, length_));
}

}  // namespace byoshin::local::dashboard
