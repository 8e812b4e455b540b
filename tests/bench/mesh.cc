// How fast reports of a class arrive at all of it, on Mesh v2 as it is
// deployed: resolvers, DynamoDB, data on disk. Prints a Markdown table.
//
//   ./bazelw run -c opt //tests/bench:mesh [-- DURATION]
//
// Each class reports for DURATION (default 10s), every node in its own rhythm.

#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_class.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/group_operations.h"
#include "tests/bench/mesh_group.h"

namespace byoshin::bench {
namespace {

constexpr int kNodes = 40;
constexpr int kReportsPerSecond[] = {4, 10};

absl::Status Main(absl::Duration duration) {
  const absl::StatusOr<AppsyncCloud> cloud = StartMeshCloud();
  if (!cloud.ok()) return cloud.status();
  const absl::StatusOr<GroupOperations> other =
      OpenMeshGroup(cloud->api, "other host", /*nodes=*/0);
  if (!other.ok()) return other.status();
  std::vector<Class> classes;
  for (const int rate : kReportsPerSecond) {
    absl::StatusOr<GroupOperations> group =
        OpenMeshGroup(cloud->api, absl::StrCat("host-", rate), kNodes);
    if (!group.ok()) return group.status();
    classes.push_back({.group = *std::move(group),
                       .other_group = *other,
                       .nodes = kNodes,
                       .reports_per_second = rate});
  }
  return PrintClasses(cloud->api, classes, duration, std::cout);
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  absl::Duration duration = absl::Seconds(10);
  // Longer, and groups would end without heartbeats.
  constexpr absl::Duration kMax = absl::Minutes(1);
  if (argc > 2 || (argc > 1 && !absl::ParseDuration(argv[1], &duration)) ||
      duration <= absl::ZeroDuration() || duration > kMax) {
    std::cerr << "usage: mesh [DURATION], at most " << kMax << "\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(duration);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << "\n";
  return EXIT_FAILURE;
}
