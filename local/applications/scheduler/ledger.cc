#include "local/applications/scheduler/ledger.h"

#include <vector>

#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "local/applications/scheduler/series.h"

namespace byoshin::local::applications {

dashboard::TimeRange SlotsDueIn(const dashboard::TimeRange& minutes,
                                absl::Duration window_lag) {
  return {.from = minutes.from - window_lag, .to = minutes.to - window_lag};
}

void Ledger::Add(const SlotRecord& record) {
  const sync::MutexLock lock(mutex_);
  ++times_stored_[record.slot];
  if (record.lateness) lateness_.push_back(*record.lateness);
}

void Ledger::AddFound(absl::Time slot) {
  const sync::MutexLock lock(mutex_);
  times_stored_.try_emplace(slot, 1);
}

Ledger::Report Ledger::Count(const dashboard::TimeRange& slots) const {
  const sync::MutexLock lock(mutex_);
  Report report;
  for (absl::Time slot = slots.from; slot < slots.to;
       slot += scheduler::kSlotInterval) {
    ++report.expected;
    const auto found = times_stored_.find(slot);
    if (found == times_stored_.end()) {
      ++report.missing;
    } else {
      ++report.stored;
      report.duplicate += found->second - 1;
    }
  }
  std::vector<absl::Duration> lateness = lateness_;
  report.lateness = dashboard::QuantilesOf(lateness);
  return report;
}

}  // namespace byoshin::local::applications
