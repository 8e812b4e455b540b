// What a simulation has stored, and when: the base of its report.
//
//   Ledger ledger;
//   ledger.Add(record);                  // as records are stored
//   ledger.Count(SlotsDueIn({start, end}, lag)).missing;
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_LEDGER_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_LEDGER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/applications/scheduler/series.h"

namespace byoshin::local::applications {

// The slots that are due in `minutes`, which are whole: those that the schedule
// asks for in them, no matter how far back the windows lie.
dashboard::TimeRange SlotsDueIn(const dashboard::TimeRange& minutes,
                                absl::Duration window_lag);

// Thread-safe.
class Ledger {
 public:
  struct Report {
    std::int64_t expected = 0;
    std::int64_t stored = 0;
    std::int64_t missing = 0;
    std::int64_t duplicate = 0;
    // Of what this process has stored.
    std::optional<dashboard::Quantiles> lateness{};
  };

  void Add(const SlotRecord& record);

  // The slot was found in the table: an earlier process has stored it, or this
  // one, which has told so already.
  void AddFound(absl::Time slot);

  Report Count(const dashboard::TimeRange& slots) const;

 private:
  mutable sync::Mutex mutex_;
  std::map<absl::Time, std::int64_t> times_stored_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Duration> lateness_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_LEDGER_H_
