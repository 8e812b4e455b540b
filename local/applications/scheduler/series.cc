#include "local/applications/scheduler/series.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::local::applications {
namespace {

void AddCount(const SlotRecord& record, Bucket& bucket) {
  const bool is_first = bucket.stored == 0;
  bucket.min = is_first ? record.count : std::min(bucket.min, record.count);
  bucket.max = is_first ? record.count : std::max(bucket.max, record.count);
  bucket.sum += static_cast<double>(record.count);
  ++bucket.stored;
}

}  // namespace

dashboard::TimeRange ExpectedSlots(std::optional<absl::Time> first,
                                   absl::Duration window_lag, absl::Time now) {
  if (!first.has_value()) return {};
  return {.from = *first, .to = now - window_lag - kSlotGrace};
}

std::int64_t CountSlots(const dashboard::TimeRange& range) {
  return dashboard::CountSteps(range, scheduler::kSlotInterval);
}

SeriesBuilder::SeriesBuilder(const SeriesOptions& options)
    : options_(options),
      layout_(options.range, scheduler::kSlotInterval, options.max_buckets) {
  series_.bucket_length = layout_.length();
  series_.from = layout_.range().from;
  series_.buckets.resize(layout_.count());
  stored_of_expected_.resize(layout_.count());
}

std::size_t SeriesBuilder::CurrentIndex() const {
  return static_cast<std::size_t>(current_ - series_.buckets.data());
}

void SeriesBuilder::Add(const SlotRecord& record) {
  // A month has half a million records, but few of them begin a bucket.
  if (record.slot >= current_to_) {
    const std::optional<std::size_t> i = layout_.IndexOf(record.slot);
    if (!i.has_value()) return;
    FinishLateness();
    current_ = &series_.buckets[*i];
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

void SeriesBuilder::FinishLateness() {
  if (current_ != nullptr)
    current_->lateness = dashboard::QuantilesOf(current_lateness_);
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
  series_.summary.lateness = dashboard::QuantilesOf(lateness_);
  return std::move(series_);
}

}  // namespace byoshin::local::applications
