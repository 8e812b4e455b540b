#include "local/applications/scheduler/record_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

std::int64_t SlotNumber(absl::Time time) {
  return (scheduler::FloorToSlot(time) - absl::UnixEpoch()) /
         scheduler::kSlotInterval;
}

absl::Time SlotTime(std::int64_t number) {
  return absl::UnixEpoch() + number * scheduler::kSlotInterval;
}

}  // namespace

void RecordHistory::Add(const SlotRecord& record) {
  const std::int64_t slot = SlotNumber(record.slot);
  if (cells_.empty()) first_ = slot;
  const auto end = first_ + static_cast<std::int64_t>(cells_.size());
  const auto most = static_cast<std::int64_t>(max_slots_);
  if (slot < end - most) return;  // older than what is remembered
  if (slot >= end + most) Clear();
  if (cells_.empty()) first_ = slot;
  while (slot < first_) {
    cells_.push_front({.lateness = kAbsent});
    --first_;
  }
  while (slot >= first_ + static_cast<std::int64_t>(cells_.size())) {
    cells_.push_back({.lateness = kAbsent});
  }
  Cell& cell = cells_[static_cast<std::size_t>(slot - first_)];
  if (cell.lateness == kAbsent) {
    ++total_;
    cell.lateness = kUnknown;
  }
  cell.count = record.count;
  if (record.lateness.has_value()) {
    cell.lateness =
        std::max<std::int64_t>(absl::ToInt64Microseconds(*record.lateness), 0);
  }
  while (cells_.size() > max_slots_) {
    if (cells_.front().lateness != kAbsent) --total_;
    cells_.pop_front();
    ++first_;
  }
}

void RecordHistory::Clear() {
  cells_.clear();
  total_ = 0;
}

SlotRecord RecordHistory::RecordOf(const Cell& cell, absl::Time slot) {
  SlotRecord record{.slot = slot, .count = cell.count};
  if (cell.lateness >= 0) record.lateness = absl::Microseconds(cell.lateness);
  return record;
}

void RecordHistory::Visit(
    const dashboard::TimeRange& range,
    absl::FunctionRef<bool(const SlotRecord&)> visit) const {
  const std::int64_t from = std::max(
      SlotNumber(range.from + scheduler::kSlotInterval - absl::Nanoseconds(1)),
      first_);
  if (from >= first_ + static_cast<std::int64_t>(cells_.size())) return;
  absl::Time slot = SlotTime(from);
  for (auto cell = cells_.begin() + (from - first_);
       cell != cells_.end() && slot < range.to;
       ++cell, slot += scheduler::kSlotInterval) {
    if (cell->lateness != kAbsent && !visit(RecordOf(*cell, slot))) return;
  }
}

std::int64_t RecordHistory::CountFrom(absl::Time from) const {
  std::int64_t count = 0;
  Visit({.from = from, .to = absl::InfiniteFuture()}, [&](const SlotRecord&) {
    ++count;
    return true;
  });
  return count;
}

RecordsStatus RecordHistory::status() const {
  RecordsStatus status{.total = total_};
  const auto time = [this](std::size_t i) {
    return SlotTime(first_ + static_cast<std::int64_t>(i));
  };
  for (std::size_t i = 0; i < cells_.size() && !status.first; ++i) {
    if (cells_[i].lateness != kAbsent) status.first = time(i);
  }
  for (std::size_t i = cells_.size(); i > 0 && !status.last; --i) {
    if (cells_[i - 1].lateness != kAbsent) status.last = time(i - 1);
  }
  return status;
}

}  // namespace byoshin::local::applications
