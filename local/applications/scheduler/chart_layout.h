// What the charts of chart.h have in common: columns, scale and words.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_CHART_LAYOUT_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_CHART_LAYOUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "local/applications/scheduler/series.h"

namespace byoshin::local::applications {

// What is seen at one place from left to right.
struct Column {
  bool has_value = false;
  bool has_missing = false;
  double min = 0;
  double max = 0;
  double average = 0;
};

// The series in `count` columns: buckets are merged, or take several columns.
std::vector<Column> ColumnsOf(const Series& series, int count);

// From bottom to top, with marks at equal and round steps.
struct Scale {
  double bottom = 0;
  double top = 1;
  double step = 1;

  // 0 at the bottom, 1 at the top.
  double Share(double value) const { return (value - bottom) / (top - bottom); }
};

// Covers 0 and all values, in about `steps` steps.
Scale ScaleFor(const Series& series, int steps);

// "12", "0.5".
std::string ScaleLabel(double value);

// "10:23:05", or with the date if the series is longer than a day.
std::string TimeLabel(const Series& series, absl::Time time);

// A round time, and what stands below it.
struct TimeTick {
  absl::Time time{};
  std::string label{};
  // From 0 at the series' start to 1 at its end.
  double share = 0;
};

// At most `most` of them, at equal and round steps: "10:15", "10:20", or days:
// "12-02". None if no step is long enough.
std::vector<TimeTick> TimeTicks(const Series& series, int most);

// "2025-12-02 10:10:05 - 10:25:05 UTC, one value every 5 s; 171 of 179 slots
// stored, 8 missing".
std::string Summary(const Series& series);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_CHART_LAYOUT_H_
