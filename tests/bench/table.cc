#include "tests/bench/table.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_format.h"

namespace byoshin::bench {
namespace {

std::string Number(double value) {
  if (value >= 100) return absl::StrFormat("%.0f", value);
  if (value >= 10) return absl::StrFormat("%.1f", value);
  return absl::StrFormat("%.2f", value);
}

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

std::string ToMarkdown(const std::vector<Row>& rows) {
  std::string text =
      "| | Byoshin | Node.js 20 | ratio |\n|---|---:|---:|---:|\n";
  for (const Row& row : rows) {
    const double ratio = row.better == Row::Direction::kLess
                             ? row.node / row.ours
                             : row.ours / row.node;
    absl::StrAppendFormat(&text, "| %s | %s %s | %s %s | %s× |\n", row.what,
                          Number(row.ours), row.unit, Number(row.node),
                          row.unit, Number(ratio));
  }
  return text;
}

}  // namespace byoshin::bench
