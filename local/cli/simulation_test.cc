#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/slot.h"
#include "local/cli/ledger.h"
#include "local/cli/simulation_state.h"
#include "local/dashboard/series.h"

namespace byoshin::local::cli {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'764'671'040);

class SimulationStateTest : public testing::Test {
 protected:
  void Write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories(folder_);
    std::ofstream(absl::StrCat(folder_, "/", file)) << text;
  }

  const std::string folder_ = absl::StrCat(
      testing::TempDir(), "/",
      testing::UnitTest::GetInstance()->current_test_info()->name(), "/data");
};

TEST_F(SimulationStateTest, IsThereAgain) {
  absl::StatusOr<std::optional<SimulationState>> state = ReadState(folder_);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_FALSE(state->has_value());
  for (const absl::Duration passed : {absl::Seconds(-1), absl::Hours(30)}) {
    ASSERT_TRUE(
        SaveState(folder_, {.start = kStart, .now = kStart + passed}).ok());
    state = ReadState(folder_);
    ASSERT_TRUE(state.ok() && state->has_value()) << state.status();
    EXPECT_EQ((*state)->start, kStart);
    EXPECT_EQ((*state)->now, kStart + passed);
  }
}

TEST_F(SimulationStateTest, IsNotThereYetWhereItWasCutOffBeforeTheFirst) {
  Write("simulation.json.unfinished", "{\"sta");
  const absl::StatusOr<std::optional<SimulationState>> state =
      ReadState(folder_);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_FALSE(state->has_value());
}

TEST_F(SimulationStateTest, RefusesDataThatAreNotASimulations) {
  Write("sqs.db", "");
  const absl::Status status = ReadState(folder_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), folder_)) << status;
}

TEST_F(SimulationStateTest, SaysWhatIsDamaged) {
  for (const char* text :
       {"", "{", "5", "{}", R"({"start":"2026-01-01T00:00:00Z"})",
        R"({"start":"2026-01-01T00:00:00Z","now":"soon"})"}) {
    Write("simulation.json", text);
    const absl::Status status = ReadState(folder_).status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << text << ": " << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "simulation.json"))
        << status;
  }
}

TEST(Ledger, CountsWhatIsMissingAndWhatWasStoredTwice) {
  Ledger ledger;
  const auto slot = [](int number) {
    return kStart + number * scheduler::kSlotInterval;
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
            scheduler::PlanMinute(kStart + absl::Minutes(minute),
                                  absl::Seconds(lag))
                .value();
        for (const scheduler::PlannedMessage& message : plan) {
          ledger.Add({.slot = message.window.from});
          if (!counts) ledger.Add({.slot = message.window.from});
        }
      }
      const Ledger::Report report = ledger.Count(SlotsDueIn(
          {kStart, kStart + absl::Minutes(minutes)}, absl::Seconds(lag)));
      EXPECT_EQ(report.expected, minutes * scheduler::kSlotsPerMinute) << lag;
      EXPECT_EQ(report.stored, report.expected) << lag;
      EXPECT_EQ(report.missing, 0) << lag;
      EXPECT_EQ(report.duplicate, 0) << lag;
    }
  }
}

}  // namespace
}  // namespace byoshin::local::cli
