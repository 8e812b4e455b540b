// A cloud on the folder of an earlier one, from which something is missing, or
// in which something is left.

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/scheduler/slot.h"
#include "core/time/simulated_clock.h"
#include "local/files/testing/test_folder.h"
#include "local/stack/stack_cloud.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

namespace fs = std::filesystem;

constexpr char kOtherZip[] = "local/lambda/testing/bootstrap.zip";

class RestartTest : public testing::Test {
 protected:
  RestartTest() { Restart(); }

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
  const local::TestFolder test_folder_;
  const std::string& folder_ = test_folder_.path();
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
  EXPECT_EQ(cloud_->stored().size(), scheduler::kSlotsPerMinute);
}

TEST_F(RestartTest, KeepsNoCodeThatNothingRuns) {
  ASSERT_TRUE(cloud_->Deploy(cloud_->deployment()).ok());
  const std::size_t zips = Entries("/zips").size();
  const std::size_t trees = Entries("/lambda/code").size();
  local::stack::StackDeployment changed = cloud_->deployment();
  changed.zips[kCollectorZip] = files::ReadFile(kOtherZip).value();
  ASSERT_TRUE(cloud_->Deploy(changed).ok());
  EXPECT_EQ(Entries("/zips").size(), zips);
  EXPECT_EQ(Entries("/lambda/code").size(), trees);
  // And that which is kept is all that is needed.
  Restart();
  EXPECT_EQ(cloud_->notes(), std::vector<std::string>());
}

TEST_F(RestartTest, RefusesADamagedDatabaseOfWhateverService) {
  ASSERT_TRUE(cloud_->Deploy(cloud_->deployment()).ok());
  cloud_ = nullptr;
  // A record of another type than was written, where each service looks.
  const std::pair<const char*, const char*> damages[] = {
      {"lambda", "async/00000000000000000001"},
      {"events", "delivery/00000000000000000001"},
      {"events", "rule/arn:aws:events:us-east-1:000000000000:rule/x"},
      {"cloudformation", "stack/byoshin/head"}};
  for (const auto& [service, key] : damages) {
    const std::string path = absl::StrCat(folder_, "/", service, ".db");
    std::optional<std::string> before;
    const auto put = [&](std::optional<std::string> value) {
      const auto store = *local::OpenSqliteStore({.path = path});
      before = *store->Get(key);
      ASSERT_TRUE((value ? store->Put(key, *value) : store->Delete(key)).ok());
      ASSERT_TRUE(store->Commit().ok());
    };
    put(service == std::string("cloudformation") ? "{" : R"({"arn":{}})");
    const absl::Status status =
        local::stack::StackCloud::Start(
            {.gateway = {.port = 0}, .data_directory = folder_}, clock_)
            .status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << key << ": " << status;
    EXPECT_TRUE(absl::StartsWith(status.message(), path)) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "put a copy back"))
        << status;
    put(before);
  }
}

TEST_F(RestartTest, UnpacksCodeAgainThatWasChanged) {
  ASSERT_TRUE(cloud_->Deploy(cloud_->deployment()).ok());
  cloud_ = nullptr;
  for (const fs::path& code : Entries("/lambda/code")) {
    fs::permissions(code / "bootstrap", fs::perms::owner_all);
    std::ofstream(code / "bootstrap") << "#!/bin/sh\nexit 1\n";
  }
  Restart();
  EXPECT_EQ(cloud_->notes().size(), Entries("/lambda/code").size());
  for (const std::string& note : cloud_->notes()) {
    EXPECT_TRUE(absl::StrContains(note, "had been changed")) << note;
  }
  ASSERT_TRUE(cloud_->Deploy(cloud_->deployment()).ok());
  (*cloud_)->Begin();
  clock_.RunUntil(kMinute + absl::Seconds(59));
  EXPECT_EQ(cloud_->stored().size(), scheduler::kSlotsPerMinute);
}

}  // namespace
}  // namespace byoshin::e2e
