// Reports that can be recognised when they arrive, and how long they took.
//
//   connection.Send(NumberedReport(target, group, /*node=*/7, /*number=*/1));
//   absl::StatusOr<Report> report = ReadReport(message);  // node 7's first
//   Deliveries result = Summarize(latencies, mutations, cpu);
#ifndef BYOSHIN_TESTS_BENCH_DELIVERIES_H_
#define BYOSHIN_TESTS_BENCH_DELIVERIES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"

namespace byoshin::bench {

// Far more than any delivery takes.
inline constexpr absl::Duration kDeliveryGuard = absl::Minutes(2);

struct Report {
  int node = 0;
  int number = 0;
};

// A report of a node: the value has the number of the node and of its report.
std::string NumberedReport(const GraphqlTarget& target,
                           const GroupOperations& group, int node, int number);

// What a message to a subscriber reports.
absl::StatusOr<Report> ReadReport(absl::string_view message);

struct Deliveries {
  double mutations_per_cpu_second = 0;
  double deliveries_per_cpu_second = 0;
  // From the mutation to the arrival at each subscriber.
  absl::Duration p50{};
  absl::Duration p99{};
  absl::Duration max{};
};

// `latencies` has at least one element.
Deliveries Summarize(std::vector<absl::Duration> latencies, double mutations,
                     absl::Duration cpu);

// "1.23".
std::string Milliseconds(absl::Duration duration);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_DELIVERIES_H_
