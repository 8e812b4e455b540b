#include "tests/bench/deliveries.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"

namespace byoshin::bench {

std::string NumberedReport(const GraphqlTarget& target,
                           const GroupOperations& group, int node, int number) {
  return PostRequest(
      target,
      group.report(node, number, absl::StrFormat("%03d:%08d", node, number)));
}

absl::StatusOr<Report> ReadReport(absl::string_view message) {
  constexpr absl::string_view kBefore = R"("value":")";
  const std::size_t at = message.find(kBefore);
  Report report;
  if (at == absl::string_view::npos ||
      !absl::SimpleAtoi(message.substr(at + kBefore.size(), 3), &report.node) ||
      !absl::SimpleAtoi(message.substr(at + kBefore.size() + 4, 8),
                        &report.number)) {
    return absl::InternalError(absl::StrCat("not a report: ", message));
  }
  return report;
}

Deliveries Summarize(std::vector<absl::Duration> latencies, double mutations,
                     absl::Duration cpu) {
  std::sort(latencies.begin(), latencies.end());
  const double seconds = absl::ToDoubleSeconds(cpu);
  return {.mutations_per_cpu_second = mutations / seconds,
          .deliveries_per_cpu_second =
              static_cast<double>(latencies.size()) / seconds,
          .p50 = latencies[latencies.size() / 2],
          .p99 = latencies[latencies.size() * 99 / 100],
          .max = latencies.back()};
}

std::string Milliseconds(absl::Duration duration) {
  return absl::StrFormat("%.2f", absl::ToDoubleMilliseconds(duration));
}

}  // namespace byoshin::bench
