#include "local/cli/simulation_state.h"

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

}  // namespace
}  // namespace byoshin::local::cli
