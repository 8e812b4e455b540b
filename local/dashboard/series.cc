#include "local/dashboard/series.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::local::dashboard {
namespace {

// Towards the past, before 1970 too.
std::int64_t FloorDivide(absl::Duration dividend, absl::Duration divisor) {
  absl::Duration rest;
  const std::int64_t quotient = absl::IDivDuration(dividend, divisor, &rest);
  return rest < absl::ZeroDuration() ? quotient - 1 : quotient;
}

std::int64_t Index(absl::Time time, absl::Duration length) {
  return FloorDivide(time - absl::UnixEpoch(), length);
}

// The first multiple of `length` that is not before `time`.
std::int64_t CeilIndex(absl::Time time, absl::Duration length) {
  return -FloorDivide(absl::UnixEpoch() - time, length);
}

std::int64_t BucketsNeeded(const TimeRange& range, absl::Duration length) {
  return CeilIndex(range.to, length) - Index(range.from, length);
}

// The shortest with which `range` fits into `max_buckets`.
absl::Duration BucketLength(const TimeRange& range, int max_buckets) {
  const std::int64_t slots = BucketsNeeded(range, scheduler::kSlotInterval);
  std::int64_t per_bucket = std::max<std::int64_t>(
      (slots + max_buckets - 1) / max_buckets, std::int64_t{1});
  // Aligned buckets may need one more at the edges. This ends: a range that is
  // no longer than a bucket lies in at most two.
  while (BucketsNeeded(range, per_bucket * scheduler::kSlotInterval) >
         max_buckets) {
    ++per_bucket;
  }
  return per_bucket * scheduler::kSlotInterval;
}

using Durations = std::vector<absl::Duration>;

// Puts in its place, as if they were sorted, the smallest of `durations` that
// at least the share does not exceed. It must not come before `from`, and what
// does must not be larger than the rest.
Durations::iterator PlaceQuantile(Durations& durations,
                                  Durations::iterator from, double share) {
  const auto rank = static_cast<std::size_t>(
      share * static_cast<double>(durations.size()) + 0.9999999);
  const auto at = durations.begin() + static_cast<std::ptrdiff_t>(
                                          std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(from, at, durations.end());
  return at;
}

void AddCount(const SlotRecord& record, Bucket& bucket) {
  const bool is_first = bucket.stored == 0;
  bucket.min = is_first ? record.count : std::min(bucket.min, record.count);
  bucket.max = is_first ? record.count : std::max(bucket.max, record.count);
  bucket.sum += static_cast<double>(record.count);
  ++bucket.stored;
}

}  // namespace

TimeRange ExpectedSlots(std::optional<absl::Time> first,
                        absl::Duration window_lag, absl::Time now) {
  if (!first.has_value()) return {};
  return {.from = *first, .to = now - window_lag - kSlotGrace};
}

std::int64_t CountSlots(const TimeRange& range) {
  return std::max<std::int64_t>(
      CeilIndex(range.to, scheduler::kSlotInterval) -
          CeilIndex(range.from, scheduler::kSlotInterval),
      0);
}

std::optional<Quantiles> QuantilesOf(std::vector<absl::Duration>& durations) {
  if (durations.empty()) return std::nullopt;
  // Each is looked for only in what the one before has left above it.
  Quantiles quantiles;
  auto at = PlaceQuantile(durations, durations.begin(), 0.5);
  quantiles.p50 = *at;
  at = PlaceQuantile(durations, at, 0.99);
  quantiles.p99 = *at;
  quantiles.max = *std::max_element(at, durations.end());
  return quantiles;
}

SeriesBuilder::SeriesBuilder(const SeriesOptions& options) : options_(options) {
  const absl::Duration length =
      BucketLength(options.range, options.max_buckets);
  series_.bucket_length = length;
  series_.from = absl::UnixEpoch() + Index(options.range.from, length) * length;
  const std::int64_t buckets =
      std::max(BucketsNeeded(options.range, length), std::int64_t{1});
  series_.buckets.resize(static_cast<std::size_t>(buckets));
  stored_of_expected_.resize(series_.buckets.size());
  to_ = series_.StartOf(series_.buckets.size());
}

TimeRange SeriesBuilder::range() const {
  return {.from = series_.from, .to = to_};
}

Bucket* SeriesBuilder::BucketAt(absl::Time time) {
  if (time < series_.from || time >= to_) return nullptr;
  return &series_.buckets[static_cast<std::size_t>(
      FloorDivide(time - series_.from, series_.bucket_length))];
}

std::size_t SeriesBuilder::CurrentIndex() const {
  return static_cast<std::size_t>(current_ - series_.buckets.data());
}

void SeriesBuilder::Add(const SlotRecord& record) {
  // A month has half a million records, but few of them begin a bucket.
  if (record.slot >= current_to_) {
    Bucket* bucket = BucketAt(record.slot);
    if (bucket == nullptr) return;
    FinishLateness();
    current_ = bucket;
    current_to_ = series_.StartOf(CurrentIndex() + 1);
  }
  AddCount(record, *current_);
  AddCount(record, series_.summary);
  if (record.lateness.has_value()) {
    current_lateness_.push_back(*record.lateness);
    lateness_.push_back(*record.lateness);
  }
  if (record.slot >= options_.expected.from &&
      record.slot < options_.expected.to) {
    ++stored_of_expected_[CurrentIndex()];
  }
}

void SeriesBuilder::Add(const QueueSample& sample) {
  Bucket* bucket = BucketAt(sample.time);
  if (bucket == nullptr) return;
  if (!bucket->queue.has_value()) {
    bucket->queue = sample;
    return;
  }
  QueueSample& most = *bucket->queue;
  most.waiting = std::max(most.waiting, sample.waiting);
  most.in_flight = std::max(most.in_flight, sample.in_flight);
  most.dead_letters = std::max(most.dead_letters, sample.dead_letters);
  most.retries += sample.retries;
}

void SeriesBuilder::FinishLateness() {
  if (current_ != nullptr) current_->lateness = QuantilesOf(current_lateness_);
  current_lateness_.clear();
}

void SeriesBuilder::CountMissing(std::size_t i) {
  const std::int64_t expected = CountSlots(
      {.from = std::max(series_.StartOf(i), options_.expected.from),
       .to = std::min(series_.StartOf(i + 1), options_.expected.to)});
  series_.buckets[i].missing =
      std::max<std::int64_t>(expected - stored_of_expected_[i], 0);
  series_.summary.missing += series_.buckets[i].missing;
}

Series SeriesBuilder::Build() && {
  FinishLateness();
  for (std::size_t i = 0; i < series_.buckets.size(); ++i) CountMissing(i);
  series_.summary.lateness = QuantilesOf(lateness_);
  return std::move(series_);
}

}  // namespace byoshin::local::dashboard
