// A month of slots in as many points as a screen has.
//
//   SeriesBuilder builder({.range = {from, to}, .max_buckets = 2000,
//                          .expected = source.ExpectedSlots()});
//   for (const SlotRecord& record : records) builder.Add(record);
//   Series series = std::move(builder).Build();
//
// A bucket is a whole number of slots and starts on a multiple of its own
// length, so that the same slots share a bucket wherever the range begins. A
// slot without a record is missing, which is another thing than a count of 0.
#ifndef BYOSHIN_LOCAL_DASHBOARD_SERIES_H_
#define BYOSHIN_LOCAL_DASHBOARD_SERIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"

namespace byoshin::local::dashboard {

// How long after it was due a slot may be on its way without being missing.
inline constexpr absl::Duration kSlotGrace = absl::Seconds(10);

// [from, to)
struct TimeRange {
  absl::Time from{};
  absl::Time to{};
};

// The slots that should be stored by `now`: from the first that the schedule
// asked for until those that are due for less than kSlotGrace. One of them that
// has no record is missing. Empty if there is no `first`.
TimeRange ExpectedSlots(std::optional<absl::Time> first,
                        absl::Duration window_lag, absl::Time now);

// How many slots begin in `range`.
std::int64_t CountSlots(const TimeRange& range);

struct SlotRecord {
  absl::Time slot{};
  std::int64_t count = 0;
  // As scheduler::Lateness() defines it, where it was seen.
  std::optional<absl::Duration> lateness{};
};

// The state of the queues at one time, `retries` since the sample before.
struct QueueSample {
  absl::Time time{};
  std::int64_t waiting = 0;
  std::int64_t in_flight = 0;
  std::int64_t retries = 0;
  std::int64_t dead_letters = 0;
};

struct Quantiles {
  absl::Duration p50{};
  absl::Duration p99{};
  absl::Duration max{};
};

// Of all of them; reorders `durations`. Without value if there are none.
std::optional<Quantiles> QuantilesOf(std::vector<absl::Duration>& durations);

struct Bucket {
  std::int64_t stored = 0;
  std::int64_t missing = 0;
  // Of the counts; only if something is stored.
  std::int64_t min = 0;
  std::int64_t max = 0;
  double sum = 0;
  std::optional<Quantiles> lateness{};
  // Greatest of the bucket's samples; the sum, for retries. Its time means
  // nothing.
  std::optional<QueueSample> queue{};

  double average() const { return sum / static_cast<double>(stored); }
};

struct Series {
  absl::Time from{};
  absl::Duration bucket_length{};
  std::vector<Bucket> buckets{};
  // The whole range as one bucket, without `queue`.
  Bucket summary{};

  absl::Time StartOf(std::size_t i) const {
    return from + static_cast<std::int64_t>(i) * bucket_length;
  }
};

struct SeriesOptions {
  TimeRange range{};
  // At least 2.
  int max_buckets = 2000;
  // Of the slots in here, those without a record are missing.
  TimeRange expected{};
};

// Not thread-safe.
class SeriesBuilder {
 public:
  explicit SeriesBuilder(const SeriesOptions& options);

  // What to look up: the range of the options, widened to whole buckets.
  TimeRange range() const;

  // In order of time, each kind for itself. What is out of range is left out.
  void Add(const SlotRecord& record);
  void Add(const QueueSample& sample);

  Series Build() &&;

 private:
  Bucket* BucketAt(absl::Time time);
  std::size_t CurrentIndex() const;
  void FinishLateness();
  void CountMissing(std::size_t i);

  const SeriesOptions options_;
  Series series_;
  absl::Time to_;  // the end of the last bucket
  // Of the records in each bucket, those in slots that are expected.
  std::vector<std::int64_t> stored_of_expected_;
  // Of the bucket that records are being added to, and of all.
  Bucket* current_ = nullptr;
  absl::Time current_to_ = absl::InfinitePast();
  std::vector<absl::Duration> current_lateness_;
  std::vector<absl::Duration> lateness_;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_SERIES_H_
