// A comparison as a Markdown table.
//
//   std::cout << ToMarkdown({{.what = "Sender: exec to first response",
//                             .unit = "ms", .ours = 4.1, .node = 301.0}});
#ifndef BYOSHIN_TESTS_BENCH_TABLE_H_
#define BYOSHIN_TESTS_BENCH_TABLE_H_

#include <string>
#include <vector>

namespace byoshin::bench {

struct Row {
  std::string what{};
  std::string unit{};
  double ours = 0;
  double node = 0;
  // What is better.
  enum class Direction { kLess, kMore } better = Direction::kLess;
};

// The middle one; the mean of the middle two if their number is even. 0 if
// there is none.
double Median(std::vector<double> values);

// One line a row, under a head, with how many times better ours is.
std::string ToMarkdown(const std::vector<Row>& rows);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_TABLE_H_
