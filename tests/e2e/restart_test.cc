// A cloud on the folder of an earlier one, from which something is missing, or
// in which something is left.

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "core/time/slot.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

namespace fs = std::filesystem;

constexpr char kOtherZip[] = "local/lambda/testing/bootstrap.zip";

class RestartTest : public testing::Test {
 protected:
  RestartTest() {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    Restart();
  }

  void Restart() {
    cloud_ = nullptr;
    cloud_ = std::make_unique<TestCloud>(clock_, folder_);
  }

  std::vector<fs::path> Entries(const std::string& part) const {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder_ + part)) {
      entries.push_back(entry.path());
    }
    return entries;
  }

  time::SimulatedClock clock_{kMinute - absl::Seconds(1)};
  std::string folder_ = testing::TempDir() + "/restart-XXXXXX";
  std::unique_ptr<TestCloud> cloud_;
};

TEST_F(RestartTest, AFunctionWhoseZipWasGoneRunsOnceItIsDeployedAgain) {
  ASSERT_TRUE(cloud_->Deploy(cloud_->deployment()).ok());
  cloud_ = nullptr;
  for (const fs::path& zip : Entries("/zips")) {
    if (absl::StartsWith(zip.filename().string(), "collector-")) {
      fs::remove(zip);
    }
  }
  Restart();
  ASSERT_EQ(cloud_->notes().size(), 1);
  EXPECT_TRUE(absl::StrContains(
      cloud_->notes()[0], "resource CollectorFunction could not be restored"))
      << cloud_->notes()[0];

  const absl::Status deployed = cloud_->Deploy(cloud_->deployment());
  ASSERT_TRUE(deployed.ok()) << deployed;
  (*cloud_)->Begin();
  clock_.RunUntil(kMinute + absl::Seconds(59));
  EXPECT_EQ(cloud_->stored().size(), time::kSlotsPerMinute);
}

TEST_F(RestartTest, KeepsNoCodeThatNothingRuns) {
  ASSERT_TRUE(cloud_->Deploy(cloud_->deployment()).ok());
  const std::size_t zips = Entries("/zips").size();
  const std::size_t trees = Entries("/lambda/code").size();
  local::stack::StackDeployment changed = cloud_->deployment();
  changed.zips[kCollectorZip] = ReadFile(kOtherZip);
  ASSERT_TRUE(cloud_->Deploy(changed).ok());
  EXPECT_EQ(Entries("/zips").size(), zips);
  EXPECT_EQ(Entries("/lambda/code").size(), trees);
  // And that which is kept is all that is needed.
  Restart();
  EXPECT_EQ(cloud_->notes(), std::vector<std::string>());
}

}  // namespace
}  // namespace byoshin::e2e
