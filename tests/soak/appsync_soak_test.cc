// Groups of nodes that report over AppSync while others listen, come and go: no
// report is lost, doubled, out of order or seen in another group.
//
//   ./bazelw test //tests/soak:appsync_soak_test
//   ./bazelw run -c opt //tests/soak:appsync_soak_test -- --reports=360000
//       --rate=100
//
// The cloud is a process of its own, with the API of the benchmark. Every other
// report goes to a table.
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/soak/report_soak.h"

ABSL_FLAG(int, groups, 3, "Groups of nodes.");
ABSL_FLAG(int, nodes, 4, "Nodes of each group, which report and subscribe.");
ABSL_FLAG(std::int64_t, reports, 1500, "Reports of all nodes together.");
ABSL_FLAG(double, rate, 0,
          "Reports per second at most, of all nodes together; 0: as many as "
          "are answered.");

namespace byoshin::tests {
namespace {

TEST(AppsyncSoak, DeliversEveryReportOnceInOrderAndToItsGroupOnly) {
  const absl::StatusOr<bench::AppsyncCloud> cloud = bench::StartAppsyncCloud();
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  const absl::Status status =
      RunReportSoak(*cloud,
                    {.groups = absl::GetFlag(FLAGS_groups),
                     .nodes = absl::GetFlag(FLAGS_nodes),
                     .reports = absl::GetFlag(FLAGS_reports),
                     .rate = absl::GetFlag(FLAGS_rate)},
                    [](int group) {
                      return bench::PlainGroup(absl::StrCat("group-", group),
                                               {"store", "report"});
                    });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace byoshin::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
