// Loads on a GraphQL API with groups of nodes that report and subscribe.
//
//   absl::StatusOr<Deliveries> result = RunRounds(
//       target, {.group = PlainGroup("g", {"report"}), .subscribers = 40},
//       duration);
#ifndef BYOSHIN_TESTS_BENCH_APPSYNC_RUNS_H_
#define BYOSHIN_TESTS_BENCH_APPSYNC_RUNS_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/bench/deliveries.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/bench/load.h"

namespace byoshin::bench {

struct Mutations {
  LoadResult load{};
  // Per second of CPU time of the process that serves them: what remains
  // comparable on a machine that has other work to do.
  double per_cpu_second = 0;
};

// Mutations one after the other on each of 32 connections; nobody subscribes.
absl::StatusOr<Mutations> RunMutations(const GraphqlTarget& target,
                                       const GroupOperations& group,
                                       absl::Duration duration);

struct Audience {
  GroupOperations group{};
  int subscribers = 1;
};

// A mutation, and the next when it has arrived at all subscribers. An error if
// one arrives twice or out of order.
absl::StatusOr<Deliveries> RunRounds(const GraphqlTarget& target,
                                     const Audience& audience,
                                     absl::Duration duration);

// The memory of `count` sockets with a subscription each that is never
// served, in KiB a socket.
absl::StatusOr<double> MeasureIdleSockets(const GraphqlTarget& target,
                                          const GraphqlOperation& subscription,
                                          int count);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_APPSYNC_RUNS_H_
