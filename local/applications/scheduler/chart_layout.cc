#include "local/applications/scheduler/chart_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace byoshin::local::applications {
namespace {

absl::Time EndOf(const Series& series) {
  return series.StartOf(series.buckets.size());
}

std::string Format(const char* format, absl::Time time) {
  return absl::FormatTime(format, time, absl::UTCTimeZone());
}

void Merge(const Bucket& bucket, double& sum, double& stored, Column& column) {
  column.has_missing = column.has_missing || bucket.missing > 0;
  if (bucket.stored == 0) return;
  const auto min = static_cast<double>(bucket.min);
  const auto max = static_cast<double>(bucket.max);
  column.min = column.has_value ? std::min(column.min, min) : min;
  column.max = column.has_value ? std::max(column.max, max) : max;
  column.has_value = true;
  sum += bucket.sum;
  stored += static_cast<double>(bucket.stored);
  column.average = sum / stored;
}

constexpr absl::Duration kDay = absl::Hours(24);

// The shortest round step of which at most `most` marks fit into `length`; zero
// if even the longest is too short.
absl::Duration TickStep(absl::Duration length, int most) {
  for (const absl::Duration step : {absl::Seconds(5),  absl::Seconds(10),
                                    absl::Seconds(15), absl::Seconds(30),
                                    absl::Minutes(1),  absl::Minutes(2),
                                    absl::Minutes(5),  absl::Minutes(10),
                                    absl::Minutes(15), absl::Minutes(30),
                                    absl::Hours(1),    absl::Hours(2),
                                    absl::Hours(3),    absl::Hours(6),
                                    absl::Hours(12),   kDay,
                                    2 * kDay,          7 * kDay,
                                    28 * kDay,         364 * kDay}) {
    // Both ends may have a mark.
    if (absl::FDivDuration(length, step) + 1 <= most) return step;
  }
  return absl::ZeroDuration();
}

std::string TickLabel(absl::Time time, absl::Duration step) {
  const bool midnight =
      (time - absl::UnixEpoch()) % kDay == absl::ZeroDuration();
  if (step >= 28 * kDay) return Format("%Y-%m-%d", time);
  if (midnight) return Format("%m-%d", time);
  return Format(step >= absl::Minutes(1) ? "%H:%M" : "%H:%M:%S", time);
}

}  // namespace

std::vector<Column> ColumnsOf(const Series& series, int count) {
  const std::size_t buckets = series.buckets.size();
  const auto columns = static_cast<std::size_t>(count);
  std::vector<Column> result(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t from = i * buckets / columns;
    const std::size_t to =
        std::max((i + 1) * buckets / columns, std::size_t{from + 1});
    double sum = 0;
    double stored = 0;
    for (std::size_t bucket = from; bucket < std::min(to, buckets); ++bucket) {
      Merge(series.buckets[bucket], sum, stored, result[i]);
    }
  }
  return result;
}

Scale ScaleFor(const Series& series, int steps) {
  const bool empty = series.summary.stored == 0;
  const double low =
      empty ? 0 : std::min(static_cast<double>(series.summary.min), 0.0);
  const double high =
      empty ? 1 : std::max(static_cast<double>(series.summary.max), 1.0);
  // 1, 2 or 5 times a power of ten, and no fractions: counts have none.
  const double rough = (high - low) / std::max(steps, 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough - 1e-9) {
      step = factor * power;
      break;
    }
  }
  step = std::max(step, 1.0);
  return {.bottom = std::floor(low / step) * step,
          .top = std::ceil(high / step) * step,
          .step = step};
}

std::string ScaleLabel(double value) { return absl::StrCat(value); }

std::string TimeLabel(const Series& series, absl::Time time) {
  return EndOf(series) - series.from > absl::Hours(24)
             ? Format("%m-%d %H:%M", time)
             : Format("%H:%M:%S", time);
}

std::vector<TimeTick> TimeTicks(const Series& series, int most) {
  const absl::Duration length = EndOf(series) - series.from;
  const absl::Duration step = TickStep(length, most);
  std::vector<TimeTick> ticks;
  if (step == absl::ZeroDuration()) return ticks;
  // Steps of a week begin on Mondays.
  const absl::Time origin = absl::UnixEpoch() + 4 * kDay;
  for (absl::Time time = origin + absl::Ceil(series.from - origin, step);
       time <= EndOf(series); time += step) {
    ticks.push_back({.time = time,
                     .label = TickLabel(time, step),
                     .share = absl::FDivDuration(time - series.from, length)});
  }
  return ticks;
}

std::string Summary(const Series& series) {
  const absl::Time end = EndOf(series);
  const bool same_day = Format("%Y%m%d", series.from) == Format("%Y%m%d", end);
  return absl::StrCat(Format("%Y-%m-%d %H:%M:%S", series.from), " - ",
                      Format(same_day ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S", end),
                      " UTC, one value every ",
                      absl::FormatDuration(series.bucket_length), "; ",
                      series.summary.stored, " of ",
                      series.summary.stored + series.summary.missing,
                      " slots stored, ", series.summary.missing, " missing");
}

}  // namespace byoshin::local::applications
