// What a DashboardSource may remember in memory.
//
//   LogHistory logs({.lines = 20'000, .bytes = std::size_t{8} << 20});
//   logs.Add(now, "Collector", line);
//   LogPage page = logs.Find({.limit = 500, .text = "error"});
//
// None of these is thread-safe.
#ifndef BYOSHIN_LOCAL_DASHBOARD_HISTORY_H_
#define BYOSHIN_LOCAL_DASHBOARD_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/source.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::dashboard {

// The newest log lines.
class LogHistory {
 public:
  struct Limits {
    std::size_t lines = 0;
    // The sum of their texts' lengths.
    std::size_t bytes = 0;
  };
  explicit LogHistory(const Limits& limits) : limits_(limits) {}

  void Add(absl::Time time, absl::string_view function, absl::string_view text);
  // Forgets the lines, but ids go on.
  void Clear();

  LogPage Find(const LogQuery& query) const;
  std::int64_t last_id() const { return last_id_; }

 private:
  const Limits limits_;
  std::deque<LogLine> lines_;
  std::size_t bytes_ = 0;
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
