// The scheduler's records in memory, so that looking at a month does not read
// half a million items from a table each time.
//
//   RecordHistory records;
//   records.Add({.slot = slot, .count = 3, .lateness = absl::Milliseconds(2)});
//   records.Visit({from, to}, [&](const SlotRecord& record) { ... });
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_HISTORY_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "local/applications/scheduler/series.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {

struct RecordsStatus {
  std::int64_t total = 0;
  // Without value if there is no record.
  std::optional<absl::Time> first{};
  std::optional<absl::Time> last{};
  // Slots that should be stored by now and are not; without value while
  // records of earlier runs are still being read.
  std::optional<std::int64_t> missing{};
};

// Two months.
inline constexpr std::size_t kMaxRememberedSlots = std::size_t{1} << 20;

// Records by slot, 16 bytes a slot between the first and the last one. Not
// thread-safe.
class RecordHistory {
 public:
  // Beyond this, the oldest are forgotten.
  explicit RecordHistory(std::size_t max_slots = kMaxRememberedSlots)
      : max_slots_(max_slots) {}

  // In any order of slots. A second record of a slot replaces the first, but a
  // lateness that is known stays known.
  void Add(const SlotRecord& record);
  void Clear();

  // In order of slots, until `visit` answers false.
  void Visit(const dashboard::TimeRange& range,
             absl::FunctionRef<bool(const SlotRecord&)> visit) const;

  // Without `missing`.
  RecordsStatus status() const;
  std::int64_t CountFrom(absl::Time from) const;

 private:
  struct Cell {
    std::int64_t count = 0;
    // In microseconds, saturated; kUnknown, or kAbsent if there is no record.
    std::int64_t lateness = 0;
  };
  static constexpr std::int64_t kUnknown = -1;
  static constexpr std::int64_t kAbsent = -2;

  static SlotRecord RecordOf(const Cell& cell, absl::Time slot);

  const std::size_t max_slots_;
  // Number of the slot, counted from the epoch, that cells_ begins with.
  std::int64_t first_ = 0;
  std::deque<Cell> cells_;
  std::int64_t total_ = 0;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_HISTORY_H_
