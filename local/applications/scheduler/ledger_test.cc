#include "local/applications/scheduler/ledger.h"

#include <gtest/gtest.h>

#include "absl/time/time.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/slot.h"

namespace byoshin::local::applications {
namespace {

const absl::Time kLedgerStart = absl::FromUnixSeconds(1'767'225'600);

TEST(Ledger, CountsWhatIsMissingAndWhatWasStoredTwice) {
  Ledger ledger;
  const auto slot = [](int number) {
    return kLedgerStart + number * scheduler::kSlotInterval;
  };
  ledger.AddFound(slot(0));
  ledger.Add({.slot = slot(1), .count = 1, .lateness = absl::Seconds(2)});
  // In the table because it was stored just now.
  ledger.AddFound(slot(1));
  ledger.Add({.slot = slot(2), .count = 1, .lateness = absl::Seconds(4)});
  ledger.Add({.slot = slot(2), .count = 1, .lateness = absl::Seconds(4)});
  ledger.AddFound(slot(4));  // beyond the end
  const Ledger::Report report = ledger.Count({slot(0), slot(4)});
  EXPECT_EQ(report.expected, 4);
  EXPECT_EQ(report.stored, 3);
  EXPECT_EQ(report.missing, 1);
  EXPECT_EQ(report.duplicate, 1);
  ASSERT_TRUE(report.lateness.has_value());
  EXPECT_EQ(report.lateness->max, absl::Seconds(4));
}

// The first minute's first window lies before the simulation by the lag, and
// the last minute's last one ends before its end by the lag.
TEST(Ledger, ExpectsExactlyWhatTheSenderAsksForWhateverTheLag) {
  for (const int lag : {0, 5, 10, 60, 300}) {
    for (const int minutes : {1, 2, 10}) {
      Ledger ledger;
      // The minutes before and after are not part of it.
      for (int minute = -6; minute < minutes + 6; ++minute) {
        const bool counts = minute >= 0 && minute < minutes;
        const scheduler::Plan plan =
            scheduler::PlanMinute(kLedgerStart + absl::Minutes(minute),
                                  absl::Seconds(lag))
                .value();
        for (const scheduler::PlannedMessage& message : plan) {
          ledger.Add({.slot = message.window.from});
          if (!counts) ledger.Add({.slot = message.window.from});
        }
      }
      const Ledger::Report report = ledger.Count(
          SlotsDueIn({kLedgerStart, kLedgerStart + absl::Minutes(minutes)},
                     absl::Seconds(lag)));
      EXPECT_EQ(report.expected, minutes * scheduler::kSlotsPerMinute) << lag;
      EXPECT_EQ(report.stored, report.expected) << lag;
      EXPECT_EQ(report.missing, 0) << lag;
      EXPECT_EQ(report.duplicate, 0) << lag;
    }
  }
}

}  // namespace
}  // namespace byoshin::local::applications
