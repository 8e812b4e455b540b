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
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SERIES_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SERIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {

// How long after it was due a slot may be on its way without being missing.
inline constexpr absl::Duration kSlotGrace = absl::Seconds(10);

// The slots that should be stored by `now`: from the first that the schedule
// asked for until those that are due for less than kSlotGrace. One of them that
// has no record is missing. Empty if there is no `first`.
dashboard::TimeRange ExpectedSlots(std::optional<absl::Time> first,
                                   absl::Duration window_lag, absl::Time now);

// How many slots begin in `range`.
std::int64_t CountSlots(const dashboard::TimeRange& range);

struct SlotRecord {
  absl::Time slot{};
  std::int64_t count = 0;
  // As scheduler::Lateness() defines it, where it was seen.
  std::optional<absl::Duration> lateness{};
};

struct Bucket {
  std::int64_t stored = 0;
  std::int64_t missing = 0;
  // Of the counts; only if something is stored.
  std::int64_t min = 0;
  std::int64_t max = 0;
  double sum = 0;
  std::optional<dashboard::Quantiles> lateness{};

  double average() const { return sum / static_cast<double>(stored); }
};

struct Series {
  absl::Time from{};
  absl::Duration bucket_length{};
  std::vector<Bucket> buckets{};
  // The whole range as one bucket.
  Bucket summary{};

  absl::Time StartOf(std::size_t i) const {
    return from + static_cast<std::int64_t>(i) * bucket_length;
  }
};

struct SeriesOptions {
  dashboard::TimeRange range{};
  // At least 2.
  int max_buckets = 2000;
  // Of the slots in here, those without a record are missing.
  dashboard::TimeRange expected{};
};

// Not thread-safe.
class SeriesBuilder {
 public:
  explicit SeriesBuilder(const SeriesOptions& options);

  // What to look up: the range of the options, widened to whole buckets.
  dashboard::TimeRange range() const { return layout_.range(); }

  // In order of slots. What is out of range is ignored.
  void Add(const SlotRecord& record);

  Series Build() &&;

 private:
  std::size_t CurrentIndex() const;
  void FinishLateness();
  void CountMissing(std::size_t i);

  const SeriesOptions options_;
  const dashboard::Buckets layout_;
  Series series_;
  // Of the records in each bucket, those in slots that are expected.
  std::vector<std::int64_t> stored_of_expected_;
  // Of the bucket that records are being added to, and of all.
  Bucket* current_ = nullptr;
  absl::Time current_to_ = absl::InfinitePast();
  std::vector<absl::Duration> current_lateness_;
  std::vector<absl::Duration> lateness_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SERIES_H_
