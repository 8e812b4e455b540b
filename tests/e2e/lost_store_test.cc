// All stacks on the data of an earlier cloud, from which one database was moved
// away, as the error about a damaged one advises, or was emptied.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "local/files/testing/test_folder.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/all_stacks.h"

namespace byoshin::e2e {
namespace {

namespace fs = std::filesystem;

// A minute: 2025-12-02T10:23:00Z.
const absl::Time kStart = absl::FromUnixSeconds(1'764'670'980);

class LostStoreTest : public testing::TestWithParam<std::string> {
 protected:
  void Use(AllStacks& stacks) {
    absl::Status used = stacks.UseScheduler();
    EXPECT_TRUE(used.ok()) << used;
    used = stacks.UseGeneration();
    EXPECT_TRUE(used.ok()) << used;
    used = stacks.UseMesh();
    EXPECT_TRUE(used.ok()) << used;
  }
  void Run() {
    AllStacks stacks(clock_, {.data_directory = folder_.path()});
    Use(stacks);
  }
  std::string file() const {
    return absl::StrCat(folder_.path(), "/", GetParam(), ".db");
  }

  time::SimulatedClock clock_{kStart - absl::Seconds(1)};
  const local::TestFolder folder_;
};

TEST_P(LostStoreTest, EveryStackWorksWithoutAFileAndWithAnEmptyOne) {
  Run();
  ASSERT_TRUE(fs::exists(file()));
  fs::rename(file(), absl::StrCat(file(), ".away"));
  Run();
  ASSERT_TRUE(fs::exists(file()));
  fs::resize_file(file(), 0);
  Run();
  // And nothing is left to be mended.
  AllStacks stacks(clock_, {.data_directory = folder_.path()});
  EXPECT_EQ(stacks.notes(), std::vector<std::string>());
  Use(stacks);
}

INSTANTIATE_TEST_SUITE_P(
    Stores, LostStoreTest,
    testing::ValuesIn(local::stack::StackCloud::StoreNames()),
    [](const testing::TestParamInfo<std::string>& info) { return info.param; });

TEST(StoreNames, AreThoseOfTheFilesInTheDataFolder) {
  const local::TestFolder folder;
  time::SimulatedClock clock(kStart);
  AllStacks stacks(clock, {.data_directory = folder.path()});
  std::vector<std::string> files;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder.path())) {
    if (entry.path().extension() == ".db") files.push_back(entry.path().stem());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> names = local::stack::StackCloud::StoreNames();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(files, names);
}

}  // namespace
}  // namespace byoshin::e2e
