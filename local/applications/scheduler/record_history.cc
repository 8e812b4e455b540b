#include "local/applications/scheduler/record_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "core/time/floor.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

constexpr absl::Duration kHour = absl::Hours(1);

// Counted from the epoch; saturated.
std::int64_t HourNumber(absl::Time time) {
  return (time::FloorTo(time, kHour) - absl::UnixEpoch()) / kHour;
}

absl::Time HourStart(std::int64_t number) {
  return absl::UnixEpoch() + number * kHour;
}

}  // namespace

bool RecordHistory::Add(const SlotRecord& record) {
  const std::int64_t number = HourNumber(record.slot);
  Hour* const hour = FindOrAdd(number);
  if (hour == nullptr) return false;
  Cell& cell = hour->cells[static_cast<std::size_t>(
      (record.slot - HourStart(number)) / scheduler::kSlotInterval)];
  if (cell.lateness == kAbsent) {
    ++total_;
    ++hour->total;
    cell.lateness = kUnknown;
  }
  cell.count = record.count;
  if (record.lateness.has_value()) {
    cell.lateness =
        std::max<std::int64_t>(absl::ToInt64Microseconds(*record.lateness), 0);
  }
  return true;
}

RecordHistory::Hour* RecordHistory::FindOrAdd(std::int64_t hour) {
  // A part of a dropped hour would look like all of it.
  if (HourStart(hour) < held_since_) return nullptr;
  if (const auto found = hours_.find(hour); found != hours_.end()) {
    return &found->second;
  }
  if (hours_.size() == max_hours_) {
    const auto oldest = hours_.begin();
    if (hour < oldest->first) {
      held_since_ = HourStart(oldest->first);
      return nullptr;
    }
    held_since_ = HourStart(oldest->first + 1);
    total_ -= oldest->second.total;
    hours_.erase(oldest);
  }
  return &hours_[hour];
}

void RecordHistory::Clear() {
  hours_.clear();
  held_since_ = absl::InfinitePast();
  total_ = 0;
}

void RecordHistory::Visit(
    const dashboard::TimeRange& range,
    absl::FunctionRef<bool(const SlotRecord&)> visit) const {
  for (auto hour = hours_.lower_bound(HourNumber(range.from));
       hour != hours_.end(); ++hour) {
    absl::Time slot = HourStart(hour->first);
    for (const Cell& cell : hour->second.cells) {
      if (slot >= range.to) return;
      if (slot >= range.from && cell.lateness != kAbsent) {
        SlotRecord record{.slot = slot, .count = cell.count};
        if (cell.lateness >= 0) {
          record.lateness = absl::Microseconds(cell.lateness);
        }
        if (!visit(record)) return;
      }
      slot += scheduler::kSlotInterval;
    }
  }
}

std::int64_t RecordHistory::Count(const dashboard::TimeRange& range) const {
  std::int64_t count = 0;
  for (auto hour = hours_.lower_bound(HourNumber(range.from));
       hour != hours_.end() && HourStart(hour->first) < range.to; ++hour) {
    const dashboard::TimeRange whole{.from = HourStart(hour->first),
                                     .to = HourStart(hour->first + 1)};
    if (range.from <= whole.from && whole.to <= range.to) {
      count += hour->second.total;
      continue;
    }
    Visit({.from = std::max(range.from, whole.from),
           .to = std::min(range.to, whole.to)},
          [&](const SlotRecord&) {
            ++count;
            return true;
          });
  }
  return count;
}

RecordsStatus RecordHistory::status() const {
  RecordsStatus status{.total = total_};
  if (hours_.empty()) return status;
  // No hour is without a record.
  Visit({.from = absl::InfinitePast(), .to = absl::InfiniteFuture()},
        [&](const SlotRecord& record) {
          status.first = record.slot;
          return false;
        });
  Visit(
      {.from = HourStart(hours_.rbegin()->first), .to = absl::InfiniteFuture()},
      [&](const SlotRecord& record) {
        status.last = record.slot;
        return true;
      });
  return status;
}

}  // namespace byoshin::local::applications
