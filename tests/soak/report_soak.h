// Groups of nodes that report at once, while others listen, come and go: no
// report is lost, doubled, out of order or seen in another group.
//
//   absl::Status status = RunReportSoak(
//       cloud, {.groups = 3, .nodes = 4, .reports = 1500},
//       [](int group) { return OpenGroup(group); });
#ifndef BYOSHIN_TESTS_SOAK_REPORT_SOAK_H_
#define BYOSHIN_TESTS_SOAK_REPORT_SOAK_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/group_operations.h"

namespace byoshin::tests {

struct SoakOptions {
  int groups = 1;
  // Of each group, which report and subscribe.
  int nodes = 1;
  // Of all nodes together.
  std::int64_t reports = 0;
  // Reports per second at most, of all nodes together; 0: as many as are
  // answered.
  double rate = 0;
};

// Opens the group with this number.
using OpenGroup =
    std::function<absl::StatusOr<bench::GroupOperations>(int group)>;

// Returns when all reports have arrived, and prints how many there were. An
// error says what went wrong.
absl::Status RunReportSoak(const bench::AppsyncCloud& cloud,
                           const SoakOptions& options,
                           const OpenGroup& open_group);

}  // namespace byoshin::tests

#endif  // BYOSHIN_TESTS_SOAK_REPORT_SOAK_H_
