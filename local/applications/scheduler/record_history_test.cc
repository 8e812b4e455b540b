#include "local/applications/scheduler/record_history.h"

#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/applications/scheduler/slots.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

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

TEST(RecordHistory, ForgetsTheOldestAndIsNeverLargerThanAllowed) {
  RecordHistory history(10);
  for (int i = 0; i < 25; ++i) history.Add({.slot = Slot(i), .count = i});
  history.Add({.slot = Slot(3), .count = 3});
  EXPECT_EQ(history.status().total, 10);
  EXPECT_EQ(history.status().first, Slot(15));
  // A clock that leaps by years must not fill the memory.
  history.Add({.slot = Slot(1'000'000'000), .count = 7});
  EXPECT_EQ(history.status().total, 1);
  EXPECT_EQ(history.status().first, Slot(1'000'000'000));
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
