// What the scheduler's panel shows.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SHOWN_SLOTS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SHOWN_SLOTS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/applications/scheduler/record_history.h"
#include "local/applications/scheduler/series.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {

struct SlotStatus {
  RecordsStatus records{};
  // As ExpectedSlots() returns them.
  dashboard::TimeRange expected{};
  // A slot is due so long after its start.
  absl::Duration window_lag = absl::ZeroDuration();
};

// Those of a cloud are a SlotSource; a test of the page makes some up. Called
// on the dashboard's thread, and may block.
class ShownSlots {
 public:
  virtual ~ShownSlots() = default;

  // Whether there is a scheduler.
  virtual bool IsDeployed() const = 0;
  virtual SlotStatus GetStatus() = 0;
  // The slots that should be stored by now; see series.h.
  virtual dashboard::TimeRange ExpectedSlots() = 0;
  // In order of slots; `visit` returns false to stop. Unavailable if the cloud
  // is stopping.
  virtual absl::Status VisitRecords(
      const dashboard::TimeRange& range,
      absl::FunctionRef<bool(const SlotRecord&)> visit) = 0;
  // Deletes all records; returns how many there were.
  virtual absl::StatusOr<std::int64_t> DeleteRecords() = 0;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SHOWN_SLOTS_H_
