// What a DashboardSource may remember in memory, so that looking at a month
// does not read half a million items from a table each time.
//
//   RecordHistory records;
//   records.Add({.slot = slot, .count = 3, .lateness = absl::Milliseconds(2)});
//   records.Visit({from, to}, [&](const SlotRecord& record) { ... });
//
//   LogHistory logs(20000);
//   logs.Add(now, "Collector", line);
//   LogPage page = logs.Find({.limit = 500, .text = "error"});
//
// None of these is thread-safe.
#ifndef BYOSHIN_LOCAL_DASHBOARD_HISTORY_H_
#define BYOSHIN_LOCAL_DASHBOARD_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"

namespace byoshin::local::dashboard {

// Two months.
inline constexpr std::size_t kMaxRememberedSlots = std::size_t{1} << 20;

// Records by slot, 16 bytes a slot between the first and the last one.
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
  void Visit(const TimeRange& range,
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

// The newest log lines.
class LogHistory {
 public:
  explicit LogHistory(std::size_t max_lines) : max_lines_(max_lines) {}

  void Add(absl::Time time, absl::string_view function, absl::string_view text);
  // Forgets the lines, but ids go on.
  void Clear() { lines_.clear(); }

  LogPage Find(const LogQuery& query) const;
  std::int64_t last_id() const { return last_id_; }

 private:
  const std::size_t max_lines_;
  std::deque<LogLine> lines_;
  std::int64_t last_id_ = 0;
};

// The newest of what has a time and comes in its order: invocations, samples.
template <typename T, absl::Time T::*time>
class TimedHistory {
 public:
  explicit TimedHistory(std::size_t max_items) : max_items_(max_items) {}

  void Add(T item) {
    items_.push_back(std::move(item));
    if (items_.size() > max_items_) items_.pop_front();
  }
  void Clear() { items_.clear(); }

  const std::deque<T>& items() const { return items_; }

  // The newest `limit` in `range`, oldest first.
  std::vector<T> Newest(const TimeRange& range, std::size_t limit) const {
    std::vector<T> found;
    for (auto item = items_.rbegin();
         item != items_.rend() && found.size() < limit; ++item) {
      if ((*item).*time >= range.from && (*item).*time < range.to) {
        found.push_back(*item);
      }
    }
    return {found.rbegin(), found.rend()};
  }

 private:
  const std::size_t max_items_;
  std::deque<T> items_;
};

using InvocationHistory = TimedHistory<Invocation, &Invocation::start>;
using SampleHistory = TimedHistory<QueueSample, &QueueSample::time>;

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_HISTORY_H_
