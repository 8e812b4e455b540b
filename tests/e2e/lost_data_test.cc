// A cloud on the folder of an earlier one, from which databases were moved
// away, as the error about a damaged one advises.

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "core/time/simulated_clock.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/slot_source.h"
#include "local/dashboard/source.h"
#include "local/files/testing/test_folder.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

namespace fs = std::filesystem;

constexpr char kLostTable[] = "resource MetricsTable (AWS::DynamoDB::Table)";
constexpr char kLostQueue[] = "resource SchedulingQueue (AWS::SQS::Queue)";
constexpr char kCreatedAgain[] = "was missing and has been created again";
constexpr char kTakenUp[] = "was there without a stack";

class LostDataTest : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  LostDataTest() { Restart(); }

  void Restart() {
    cloud_ = nullptr;
    cloud_ = std::make_unique<TestCloud>(clock_, folder_);
  }

  // Runs the minute that the clock stands before.
  void RunMinute() {
    const absl::Status deployed = cloud_->Deploy(cloud_->deployment());
    ASSERT_TRUE(deployed.ok()) << deployed;
    (*cloud_)->Begin();
    clock_.RunUntil(clock_.Now() + absl::Minutes(1));
  }

  std::size_t CountRecords() {
    std::size_t records = 0;
    auto& slots = (*cloud_)->Get<local::applications::SlotSource>();
    const absl::Status visited =
        slots.VisitRecords({absl::InfinitePast(), absl::InfiniteFuture()},
                           [&](const local::applications::SlotRecord&) {
                             ++records;
                             return true;
                           });
    EXPECT_TRUE(visited.ok()) << visited;
    return records;
  }

  bool Noted(absl::string_view resource, absl::string_view what) {
    for (const std::string& note : cloud_->notes()) {
      if (absl::StartsWith(note, resource) && absl::StrContains(note, what)) {
        return true;
      }
    }
    return false;
  }

  time::SimulatedClock clock_{kMinute - absl::Seconds(1)};
  const local::TestFolder test_folder_;
  const std::string& folder_ = test_folder_.path();
  std::unique_ptr<TestCloud> cloud_;
};

TEST_P(LostDataTest, IsMadeGoodByTheNextStartAndTheRestIsKept) {
  RunMinute();
  ASSERT_EQ(cloud_->stored().size(), scheduler::kSlotsPerMinute);
  cloud_ = nullptr;
  const auto lost = [](absl::string_view name) {
    for (const std::string& database : GetParam()) {
      if (database == name) return true;
    }
    return false;
  };
  for (const std::string& name : GetParam()) {
    fs::rename(absl::StrCat(folder_, "/", name, ".db"),
               absl::StrCat(folder_, "/", name, ".away"));
  }
  Restart();
  RunMinute();
  EXPECT_EQ(cloud_->stored().size(), scheduler::kSlotsPerMinute);
  EXPECT_EQ(CountRecords(),
            (lost("dynamodb") ? 1 : 2) * scheduler::kSlotsPerMinute);
  const std::string all = absl::StrJoin(cloud_->notes(), "\n");
  const bool stack_lost = lost("cloudformation");
  EXPECT_EQ(Noted(kLostTable, kCreatedAgain), lost("dynamodb") && !stack_lost)
      << all;
  EXPECT_EQ(Noted(kLostQueue, kCreatedAgain), lost("sqs") && !stack_lost)
      << all;
  EXPECT_EQ(Noted(kLostTable, kTakenUp), !lost("dynamodb") && stack_lost)
      << all;
  EXPECT_EQ(Noted(kLostQueue, kTakenUp), !lost("sqs") && stack_lost) << all;

  // And nothing is left to be made good.
  Restart();
  RunMinute();
  EXPECT_EQ(cloud_->stored().size(), scheduler::kSlotsPerMinute);
  EXPECT_EQ(cloud_->notes(), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(
    Databases, LostDataTest,
    testing::ValuesIn(std::vector<std::vector<std::string>>{
        {"sqs"},
        {"dynamodb"},
        {"cloudformation"},
        {"events"},
        {"lambda"},
        {"sqs", "dynamodb"},
        {"sqs", "cloudformation"},
        {"dynamodb", "cloudformation"},
        {"events", "lambda"},
        {"sqs", "dynamodb", "cloudformation", "events", "lambda"}}),
    [](const testing::TestParamInfo<std::vector<std::string>>& info) {
      return absl::StrJoin(info.param, "And");
    });

}  // namespace
}  // namespace byoshin::e2e
