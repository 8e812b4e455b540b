// The scheduler's newest records in memory, so that looking at a month does not
// read half a million items from a table each time.
//
//   RecordHistory records;
//   records.Add({.slot = slot, .count = 3, .lateness = absl::Milliseconds(2)});
//   records.Visit({from, to}, [&](const SlotRecord& record) { ... });
//   ... // those before records.held_since() are in the table only
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_HISTORY_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_HISTORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
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
inline constexpr std::size_t kMaxRememberedHours = 60 * 24;

// Records by slot, 12 kB an hour in which there is one, so that a record of a
// wrong year takes the room of an hour. Not thread-safe.
class RecordHistory {
 public:
  // Beyond this, the oldest hours are dropped.
  explicit RecordHistory(std::size_t max_hours = kMaxRememberedHours)
      : max_hours_(max_hours) {}

  // In any order of slots. A second record of a slot replaces the first, but a
  // lateness that is known stays known. Returns whether it is held: not if it
  // is older than everything held, and no room is left.
  bool Add(const SlotRecord& record);
  void Clear();

  // Every record of this slot and later ones that was added is held; in the
  // infinite past if all are.
  absl::Time held_since() const { return held_since_; }

  // In order of slots, until `visit` answers false.
  void Visit(const dashboard::TimeRange& range,
             absl::FunctionRef<bool(const SlotRecord&)> visit) const;

  // Without `missing`.
  RecordsStatus status() const;
  // Takes no longer for a month than for an hour or two.
  std::int64_t Count(const dashboard::TimeRange& range) const;

 private:
  struct Cell {
    std::int64_t count = 0;
    // In microseconds, saturated; kUnknown, or kAbsent if there is no record.
    std::int64_t lateness = kAbsent;
  };
  static constexpr std::int64_t kUnknown = -1;
  static constexpr std::int64_t kAbsent = -2;
  static constexpr int kSlotsPerHour = 60 * scheduler::kSlotsPerMinute;
  struct Hour {
    std::array<Cell, kSlotsPerHour> cells{};
    std::int64_t total = 0;
  };

  // Null if there is no room for it.
  Hour* FindOrAdd(std::int64_t hour);

  const std::size_t max_hours_;
  // By their numbers, counted from the epoch.
  std::map<std::int64_t, Hour> hours_;
  absl::Time held_since_ = absl::InfinitePast();
  std::int64_t total_ = 0;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_HISTORY_H_
