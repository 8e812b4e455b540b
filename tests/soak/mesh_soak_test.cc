// Classes at work on Mesh v2 as it is deployed: every node reports and listens,
// others come and go. No report is lost, doubled, out of order or seen in
// another class.
//
//   ./bazelw test //tests/soak:mesh_soak_test
//   ./bazelw run //tests/soak:mesh_soak_test -- --gtest_filter=*ClassOf40*
//       --rounds=1200 --rate=4
//
// The cloud is a process of its own. Heartbeats are sent as programs do.
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/mesh_group.h"
#include "tests/soak/report_soak.h"

ABSL_FLAG(int, rounds, 0,
          "Reports of each node; 0: as many as fit a short test.");
ABSL_FLAG(double, rate, 0,
          "Reports per second of each node, at most; 0: as many as are "
          "answered.");

namespace byoshin::tests {
namespace {

struct Classes {
  int count = 1;
  int nodes = 40;
  // Reports of each node in a short test.
  int rounds = 1;
};

absl::Status Soak(const Classes& classes) {
  const absl::StatusOr<bench::AppsyncCloud> cloud = bench::StartMeshCloud();
  if (!cloud.ok()) return cloud.status();
  const int flag = absl::GetFlag(FLAGS_rounds);
  const std::int64_t rounds = flag > 0 ? flag : classes.rounds;
  const int nodes = classes.count * classes.nodes;
  return RunReportSoak(*cloud,
                       {.groups = classes.count,
                        .nodes = classes.nodes,
                        .reports = nodes * rounds,
                        .rate = nodes * absl::GetFlag(FLAGS_rate)},
                       [&](int group) {
                         return bench::OpenMeshGroup(
                             cloud->api, absl::StrCat("host-", group),
                             classes.nodes);
                       });
}

TEST(MeshSoak, DeliversEveryReportOfAClassOf40OnceAndInOrder) {
  const absl::Status status = Soak({.count = 1, .rounds = 10});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(MeshSoak, KeepsTwentyFiveClassesAtOnceApart) {
  const absl::Status status = Soak({.count = 25, .rounds = 1});
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace byoshin::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
