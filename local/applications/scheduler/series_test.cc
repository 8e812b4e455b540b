#include "local/applications/scheduler/series.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "gtest/gtest.h"
#include "local/applications/scheduler/slots.h"

namespace byoshin::local::applications {
namespace {

Series Build(const SeriesOptions& options,
             const std::vector<SlotRecord>& records) {
  SeriesBuilder builder(options);
  for (const SlotRecord& record : records) builder.Add(record);
  return std::move(builder).Build();
}

TEST(Series, TellsAMissingSlotFromACountOfZero) {
  const Series series =
      Build({.range = {Slot(0), Slot(4)}, .expected = {Slot(0), Slot(9)}},
            {{.slot = Slot(0), .count = 3}, {.slot = Slot(2), .count = 0}});
  ASSERT_EQ(series.buckets.size(), 4);
  EXPECT_EQ(series.bucket_length, absl::Seconds(5));
  EXPECT_EQ(series.buckets[0].stored, 1);
  EXPECT_EQ(series.buckets[0].max, 3);
  EXPECT_EQ(series.buckets[1].stored, 0);
  EXPECT_EQ(series.buckets[1].missing, 1);
  EXPECT_EQ(series.buckets[2].stored, 1);
  EXPECT_EQ(series.buckets[2].max, 0);
  EXPECT_EQ(series.buckets[2].missing, 0);
  EXPECT_EQ(series.summary.stored, 2);
  EXPECT_EQ(series.summary.missing, 2);
  EXPECT_EQ(series.summary.min, 0);
  EXPECT_EQ(series.summary.average(), 1.5);
}

TEST(ExpectedSlots, AreThoseThatAreDueForLongerThanTheGraceWhateverTheLag) {
  for (const int lag : {0, 2, 12, 60}) {
    // Slot(8) is due now: slot 6 was 10 s ago, and may be on its way still.
    const dashboard::TimeRange expected =
        ExpectedSlots(Slot(3), lag * scheduler::kSlotInterval, Slot(8 + lag));
    EXPECT_EQ(expected.from, Slot(3)) << lag;
    EXPECT_EQ(expected.to, Slot(6)) << lag;
    EXPECT_EQ(CountSlots(expected), 3) << lag;
  }
  EXPECT_EQ(CountSlots(ExpectedSlots(Slot(3), absl::ZeroDuration(), Slot(2))),
            0);
  EXPECT_EQ(
      CountSlots(ExpectedSlots(std::nullopt, absl::ZeroDuration(), Slot(9))),
      0);
}

TEST(Series, ExpectsNothingBeforeTheFirstSlotNorWithinTheGrace) {
  const Series series =
      Build({.range = {Slot(0), Slot(10)},
             .expected = ExpectedSlots(Slot(3), absl::ZeroDuration(), Slot(8))},
            {{.slot = Slot(3), .count = 1}, {.slot = Slot(7), .count = 1}});
  std::vector<std::int64_t> missing;
  for (const Bucket& bucket : series.buckets) missing.push_back(bucket.missing);
  // 6 begins 10 s before now, and is on its way still; so is 8.
  EXPECT_EQ(missing, (std::vector<std::int64_t>{0, 0, 0, 0, 1, 1, 0, 0, 0, 0}));
}

TEST(Series, ExpectsNothingWhereNothingWasAskedFor) {
  const Series series = Build({.range = {Slot(0), Slot(10)}}, {});
  EXPECT_EQ(series.summary.missing, 0);
  EXPECT_EQ(series.summary.stored, 0);
  EXPECT_FALSE(series.summary.lateness.has_value());
}

TEST(Series, KeepsTheExtremesOfABucketAndItsQuantiles) {
  std::vector<SlotRecord> records;
  for (int i = 0; i < 240; ++i) {
    records.push_back({.slot = Slot(i),
                       .count = i == 57   ? -4
                                : i == 58 ? 99
                                          : 10,
                       .lateness = absl::Milliseconds(240 - i)});
  }
  const Series series = Build({.range = {Slot(0), Slot(240)},
                               .max_buckets = 2,
                               .expected = {Slot(0), Slot(1000)}},
                              records);
  ASSERT_EQ(series.buckets.size(), 2);
  EXPECT_EQ(series.buckets[0].stored + series.buckets[1].stored, 240);
  EXPECT_EQ(series.buckets[0].min, -4);
  EXPECT_EQ(series.buckets[0].max, 99);
  ASSERT_TRUE(series.summary.lateness.has_value());
  EXPECT_EQ(series.summary.lateness->p50, absl::Milliseconds(120));
  EXPECT_EQ(series.summary.lateness->p99, absl::Milliseconds(238));
  EXPECT_EQ(series.summary.lateness->max, absl::Milliseconds(240));
  EXPECT_EQ(series.summary.missing, 0);
}

TEST(Series, FitsAnyRangeIntoTwoBuckets) {
  const Series series = Build({.range = {Slot(-3), Slot(1000)},
                               .max_buckets = 2,
                               .expected = {Slot(-3), Slot(2000)}},
                              {});
  EXPECT_LE(series.buckets.size(), 2);
  EXPECT_GE(series.summary.missing, 1003);
}

}  // namespace
}  // namespace byoshin::local::applications
