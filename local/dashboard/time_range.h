// A span of time, and how it is cut into as many buckets as a screen has.
//
//   const Buckets buckets(range, absl::Seconds(5), 2000);
//   std::vector<double> values(buckets.count());
//   if (std::optional<std::size_t> i = buckets.IndexOf(time)) ++values[*i];
//
// A bucket is a whole number of steps and starts on a multiple of its own
// length, so that the same times share a bucket wherever the range begins.
#ifndef BYOSHIN_LOCAL_DASHBOARD_TIME_RANGE_H_
#define BYOSHIN_LOCAL_DASHBOARD_TIME_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/time/time.h"

namespace byoshin::local::dashboard {

// [from, to)
struct TimeRange {
  absl::Time from{};
  absl::Time to{};
};

// How many multiples of `step` since the epoch lie in `range`.
std::int64_t CountSteps(const TimeRange& range, absl::Duration step);

// Not thread-safe if assigned to.
class Buckets {
 public:
  // The shortest of which at most `max_buckets`, which is at least 2, cover
  // `range`.
  Buckets(const TimeRange& range, absl::Duration step, int max_buckets);

  std::size_t count() const { return count_; }
  absl::Duration length() const { return length_; }
  absl::Time StartOf(std::size_t i) const {
    return from_ + static_cast<std::int64_t>(i) * length_;
  }
  // The range that was given, widened to whole buckets.
  TimeRange range() const { return {.from = from_, .to = StartOf(count_)}; }
  // Without value if the time is out of range.
  std::optional<std::size_t> IndexOf(absl::Time time) const;

 private:
  absl::Duration length_;
  absl::Time from_;
  std::size_t count_;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_TIME_RANGE_H_
