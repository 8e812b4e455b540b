#include "local/applications/scheduler/record_history.h"

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/applications/scheduler/slots.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

// Slot(0) begins one.
constexpr int kSlotsAnHour = 720;
constexpr dashboard::TimeRange kAllTime{absl::InfinitePast(),
                                        absl::InfiniteFuture()};

std::vector<std::int64_t> Counts(const RecordHistory& history,
                                 const dashboard::TimeRange& range) {
  std::vector<std::int64_t> counts;
  history.Visit(range, [&](const SlotRecord& record) {
    counts.push_back(record.count);
    return true;
  });
  return counts;
}

TEST(RecordHistory, KeepsRecordsInOrderOfSlotsWhateverOrderTheyComeIn) {
  RecordHistory history;
  for (const int i : {5, 2, 9, 3}) {
    history.Add({.slot = Slot(i), .count = i});
  }
  EXPECT_EQ(Counts(history, {Slot(0), Slot(100)}),
            (std::vector<std::int64_t>{2, 3, 5, 9}));
  EXPECT_EQ(Counts(history, {Slot(2) + absl::Milliseconds(1), Slot(9)}),
            (std::vector<std::int64_t>{3, 5}));
  EXPECT_TRUE(Counts(history, {Slot(10), Slot(20)}).empty());
  EXPECT_EQ(history.status().total, 4);
  EXPECT_EQ(history.status().first, Slot(2));
  EXPECT_EQ(history.status().last, Slot(9));
}

TEST(RecordHistory, StopsWhenTheVisitorHasEnough) {
  RecordHistory history;
  for (int i = 0; i < 9; ++i) history.Add({.slot = Slot(i), .count = i});
  int visits = 0;
  history.Visit({Slot(0), Slot(9)},
                [&](const SlotRecord&) { return ++visits < 3; });
  EXPECT_EQ(visits, 3);
}

TEST(RecordHistory, CountsASlotOnceAndKeepsItsLateness) {
  RecordHistory history;
  history.Add({.slot = Slot(1), .count = 1, .lateness = absl::Milliseconds(3)});
  history.Add({.slot = Slot(1), .count = 2});
  EXPECT_EQ(history.status().total, 1);
  history.Visit({Slot(0), Slot(9)}, [&](const SlotRecord& record) {
    EXPECT_EQ(record.count, 2);
    EXPECT_EQ(record.lateness, absl::Milliseconds(3));
    return true;
  });
}

TEST(RecordHistory, IsNeverLargerThanAllowedAndKnowsSinceWhenItHoldsAll) {
  RecordHistory history(3);
  // Two records in each of five hours; the fourth is left out at first.
  const auto add = [&](int hour) {
    const int first = hour * kSlotsAnHour;
    EXPECT_TRUE(history.Add({.slot = Slot(first), .count = hour}));
    return history.Add({.slot = Slot(first + 719), .count = hour});
  };
  for (const int hour : {0, 1, 2}) EXPECT_TRUE(add(hour));
  EXPECT_EQ(history.held_since(), absl::InfinitePast());
  EXPECT_TRUE(add(4));
  EXPECT_EQ(history.held_since(), Slot(kSlotsAnHour));
  EXPECT_EQ(history.status().total, 6);
  EXPECT_EQ(history.status().first, Slot(kSlotsAnHour));

  EXPECT_FALSE(history.Add({.slot = Slot(kSlotsAnHour - 1), .count = 9}));
  EXPECT_TRUE(add(3));
  EXPECT_EQ(history.held_since(), Slot(2 * kSlotsAnHour));
  EXPECT_EQ(Counts(history, kAllTime),
            (std::vector<std::int64_t>{2, 2, 3, 3, 4, 4}));
}

// As when a table is read, which begins with its newest records.
TEST(RecordHistory, HoldsNothingOlderThanWhatItHadNoRoomFor) {
  RecordHistory history(2);
  for (const int hour : {9, 8}) {
    EXPECT_TRUE(history.Add({.slot = Slot(hour * kSlotsAnHour)}));
  }
  EXPECT_EQ(history.held_since(), absl::InfinitePast());
  EXPECT_FALSE(history.Add({.slot = Slot(7 * kSlotsAnHour)}));
  EXPECT_EQ(history.held_since(), Slot(8 * kSlotsAnHour));
  EXPECT_EQ(history.status().total, 2);
}

TEST(RecordHistory, HoldsARecordOfAWrongYearBesideTheOthers) {
  RecordHistory history;
  for (int i = 0; i < 9; ++i) history.Add({.slot = Slot(i), .count = i});
  const std::int64_t decade = std::int64_t{10} * 365 * 24 * kSlotsAnHour;
  for (const std::int64_t wrong : {decade, -decade}) {
    EXPECT_TRUE(history.Add({.slot = Slot(wrong), .count = 7}));
  }
  EXPECT_EQ(history.held_since(), absl::InfinitePast());
  EXPECT_EQ(history.status().total, 11);
  EXPECT_EQ(history.status().first, Slot(-decade));
  EXPECT_EQ(history.status().last, Slot(decade));
  EXPECT_EQ(Counts(history, {Slot(0), Slot(100)}),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(RecordHistory, CountsWholeHoursAndPartsOfThem) {
  RecordHistory history;
  for (int i = 100; i < 3000; i += 2) history.Add({.slot = Slot(i)});
  for (const dashboard::TimeRange& range :
       {kAllTime, dashboard::TimeRange{Slot(0), Slot(720)},
        dashboard::TimeRange{Slot(719), Slot(2161)},
        dashboard::TimeRange{Slot(200) + absl::Seconds(1), Slot(300)},
        dashboard::TimeRange{Slot(300), Slot(200)},
        dashboard::TimeRange{Slot(5000), absl::InfiniteFuture()}}) {
    EXPECT_EQ(history.Count(range), Counts(history, range).size())
        << range.from << " to " << range.to;
  }
  EXPECT_EQ(history.Count(kAllTime), 1450);
}

TEST(RecordHistory, IsEmptyAtFirstAndAfterClear) {
  RecordHistory history;
  EXPECT_FALSE(history.status().first.has_value());
  history.Add({.slot = Slot(1), .count = 1});
  history.Clear();
  EXPECT_EQ(history.status().total, 0);
  EXPECT_FALSE(history.status().last.has_value());
  EXPECT_TRUE(Counts(history, {Slot(0), Slot(9)}).empty());
}

}  // namespace
}  // namespace byoshin::local::applications
