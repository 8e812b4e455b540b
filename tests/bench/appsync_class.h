// A class on a GraphQL API: nodes that report, each in its own rhythm, and
// subscribe to all reports.
//
//   absl::StatusOr<Deliveries> result = RunClass(
//       target, {.group = PlainGroup("g", {"report"}), .nodes = 40}, duration);
#ifndef BYOSHIN_TESTS_BENCH_APPSYNC_CLASS_H_
#define BYOSHIN_TESTS_BENCH_APPSYNC_CLASS_H_

#include <optional>
#include <ostream>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/bench/deliveries.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"

namespace byoshin::bench {

struct Class {
  GroupOperations group{};
  // Nothing is reported in it, and one subscribes to it. Empty for an API that
  // does not keep groups apart.
  std::optional<GroupOperations> other_group{};
  int nodes = 40;
  int reports_per_second = 10;  // of each node
  // Those that subscribe and don't report.
  int listeners = 0;
};

// The nodes report whether the API keeps up or not, at random times as
// independent nodes do: the same ones each time, so that APIs can be compared.
// A latency is from the time at which a node was to report, so that it includes
// the wait for those before it. An error if a report is lost, doubled, out of
// its node's order, or seen in another group.
absl::StatusOr<Deliveries> RunClass(const GraphqlTarget& target,
                                    const Class& members,
                                    absl::Duration duration);

// Prints a Markdown table of what RunClass() measures, a line for each.
absl::Status PrintClasses(const GraphqlTarget& target,
                          const std::vector<Class>& classes,
                          absl::Duration duration, std::ostream& out);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_APPSYNC_CLASS_H_
