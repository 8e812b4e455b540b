// What is known about the slots of the scheduler that is deployed to a cloud:
// its records, which slots should be stored by now, and how late they were.
//
//   SlotSource slots({.clock = clock, .dynamodb = dynamodb, .events = events,
//                     .region = "us-east-1", .on_change = ...});
//   slots.Load(stack);          // whenever a stack has been deployed
//   slots.AddRecord(record);    // whenever a record has been stored
//   slots.GetStatus().records.missing;
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOT_SOURCE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOT_SOURCE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/applications/scheduler/record_history.h"
#include "local/applications/scheduler/record_reader.h"
#include "local/applications/scheduler/scheduler_parts.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/shown_slots.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/time_range.h"
#include "local/events/events.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Thread-safe. Asks the services and waits for them, so it must not be called
// from their threads, except where it says so.
class SlotSource final : public ShownSlots {
 public:
  // All outlive it.
  struct World {
    const time::Clock& clock;
    Service& dynamodb;
    events::Events& events;
    std::string region;
    // Called after each change, on any thread; must not block, nor call the
    // source. Never null.
    std::function<void()> on_change;
  };
  explicit SlotSource(World world);

  // Ends the reading of records, and all waits for it with an error.
  void StopReading() { reader_.Stop(); }

  // If the stack has the scheduler, begins to read the records that its table
  // holds. Until they are all read, the status counts those that are, and calls
  // that want records wait. Of several stacks with a scheduler, the one that
  // was deployed first counts: false for the others.
  bool Load(const cloudformation::Stack& stack);

  // The scheduler that is deployed.
  std::optional<SchedulerParts> parts() const;

  // Does not block, so that the services may call it.
  void AddRecord(const SlotRecord& record);
  // Whether this is the name, or the ARN, of the table with the records. Does
  // not block.
  bool IsTable(absl::string_view name) const;
  // Zero if no scheduler is deployed. Does not block.
  absl::Duration window_lag() const;

  // This slot and later ones are expected, although the schedule has not fired
  // for them: their messages were sent in another way.
  void ExpectSlotsFrom(absl::Time slot);

  bool IsDeployed() const override { return parts().has_value(); }
  SlotStatus GetStatus() override;
  dashboard::TimeRange ExpectedSlots() override;
  absl::Status VisitRecords(
      const dashboard::TimeRange& range,
      absl::FunctionRef<bool(const SlotRecord&)> visit) override;
  absl::StatusOr<std::int64_t> DeleteRecords() override;

  // Of the slots that were due at `since` or later, how many are missing, and
  // how many were stored later than kSlotGrace.
  struct Shortfall {
    std::int64_t missing = 0;
    std::int64_t late = 0;
  };
  Shortfall CountSince(absl::Time since);

 private:
  // Records of the beginning of a range, which ends at `end`.
  struct Piece {
    std::vector<SlotRecord> records{};
    absl::Time end{};
  };

  // Returns whether all of them are held.
  bool AddStored(const std::vector<SlotRecord>& records);
  // When the scheduler's rule fired first; nothing if it has not.
  std::optional<absl::Time> FirstFired();
  // From memory, or from the table if memory does not hold the beginning.
  absl::StatusOr<Piece> FirstPiece(const dashboard::TimeRange& range) const;

  const World world_;
  mutable sync::Mutex mutex_;
  std::optional<SchedulerParts> parts_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Time> expected_from_ ABSL_GUARDED_BY(mutex_);
  RecordHistory records_ ABSL_GUARDED_BY(mutex_);
  // Last, so that all it uses is there.
  RecordReader reader_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SLOT_SOURCE_H_
