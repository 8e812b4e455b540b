#include "local/dashboard/time_range.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/queue_series.h"

namespace byoshin::local::dashboard {
namespace {

constexpr absl::Duration kStep = absl::Seconds(5);

// Midnight: a multiple of the bucket lengths below.
absl::Time Step(std::int64_t i) {
  return absl::FromUnixSeconds(1764633600) + i * kStep;
}

TEST(Buckets, FitAMonthIntoAsManyAsAskedForWhereverItBegins) {
  for (const std::int64_t offset : {0, 1, 17, 12345}) {
    const absl::Time from = Step(offset) + absl::Milliseconds(1234);
    const absl::Time to = from + absl::Hours(24 * 30);
    const Buckets buckets({from, to}, kStep, 2000);
    EXPECT_LE(buckets.count(), 2000);
    EXPECT_GE(buckets.count(), 1900);
    EXPECT_LE(buckets.range().from, from);
    EXPECT_GE(buckets.range().to, to);
    EXPECT_EQ((buckets.range().from - absl::UnixEpoch()) % buckets.length(),
              absl::ZeroDuration());
    EXPECT_EQ(buckets.IndexOf(from), 0);
    EXPECT_EQ(buckets.IndexOf(to - absl::Nanoseconds(1)), buckets.count() - 1);
    EXPECT_EQ(buckets.IndexOf(buckets.range().to), std::nullopt);
  }
}

TEST(Buckets, FitAnyRangeIntoTwo) {
  EXPECT_LE(Buckets({Step(-3), Step(1000)}, kStep, 2).count(), 2);
}

TEST(CountSteps, CountsThoseThatBeginInTheRange) {
  EXPECT_EQ(CountSteps({Step(0), Step(3)}, kStep), 3);
  EXPECT_EQ(CountSteps({Step(0) + absl::Nanoseconds(1), Step(3)}, kStep), 2);
  EXPECT_EQ(CountSteps({Step(3), Step(0)}, kStep), 0);
}

TEST(QuantilesOf, FindsTheMiddleTheTailAndTheEnd) {
  std::vector<absl::Duration> durations;
  EXPECT_FALSE(QuantilesOf(durations).has_value());
  for (int i = 0; i < 240; ++i) durations.push_back(absl::Seconds(240 - i));
  const std::optional<Quantiles> quantiles = QuantilesOf(durations);
  ASSERT_TRUE(quantiles.has_value());
  EXPECT_EQ(quantiles->p50, absl::Seconds(120));
  EXPECT_EQ(quantiles->p99, absl::Seconds(238));
  EXPECT_EQ(quantiles->max, absl::Seconds(240));
}

TEST(QueueSeries, TakesTheMostOfSamplesAndTheSumOfRetries) {
  QueueSeries series({Step(0), Step(2)}, 2000);
  series.Add({.time = Step(0), .waiting = 5, .in_flight = 1, .retries = 1});
  series.Add({.time = Step(0) + absl::Seconds(1),
              .waiting = 2,
              .in_flight = 3,
              .retries = 2,
              .dead_letters = 1});
  series.Add({.time = Step(77), .waiting = 100});
  ASSERT_EQ(series.buckets().size(), 2);
  ASSERT_TRUE(series.buckets()[0].has_value());
  EXPECT_EQ(series.buckets()[0]->waiting, 5);
  EXPECT_EQ(series.buckets()[0]->in_flight, 3);
  EXPECT_EQ(series.buckets()[0]->retries, 3);
  EXPECT_EQ(series.buckets()[0]->dead_letters, 1);
  EXPECT_FALSE(series.buckets()[1].has_value());
}

}  // namespace
}  // namespace byoshin::local::dashboard
