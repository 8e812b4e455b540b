#include "local/dashboard/history.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/dashboard/slots.h"

namespace byoshin::local::dashboard {
namespace {

std::vector<std::int64_t> Counts(const RecordHistory& history,
                                 const TimeRange& range) {
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

std::vector<std::int64_t> Ids(const LogPage& page) {
  std::vector<std::int64_t> ids;
  for (const LogLine& line : page.lines) ids.push_back(line.id);
  return ids;
}

TEST(LogHistory, FindsTheNewestOrGoesOnFromAnId) {
  LogHistory logs(4);
  for (int i = 1; i <= 6; ++i) logs.Add(kStart, "f", "line");
  EXPECT_EQ(Ids(logs.Find({.limit = 2})), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(Ids(logs.Find({.limit = 9})),
            (std::vector<std::int64_t>{3, 4, 5, 6}));
  const LogPage page = logs.Find({.after = 3, .limit = 2});
  EXPECT_EQ(Ids(page), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(page.next, 5);
  EXPECT_EQ(logs.Find({.after = 5, .limit = 2}).next, 6);
}

TEST(LogHistory, FiltersByFunctionAndTextAndLooksOnAtTheRest) {
  LogHistory logs(100);
  logs.Add(kStart, "Sender", "An ERROR here");
  logs.Add(kStart, "Collector", "no error here");
  logs.Add(kStart, "Sender", "nothing");
  EXPECT_EQ(Ids(logs.Find({.limit = 9, .text = "error"})),
            (std::vector<std::int64_t>{1, 2}));
  const LogPage page = logs.Find(
      {.after = 0, .limit = 9, .function = "Sender", .text = "eRRor"});
  EXPECT_EQ(Ids(page), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(page.next, 3);
}

TEST(TimedHistory, GivesTheNewestOfARange) {
  InvocationHistory history(5);
  for (int i = 0; i < 8; ++i) {
    history.Add({.start = Slot(i), .request_id = std::to_string(i)});
  }
  std::string found;
  for (const Invocation& invocation : history.Newest({Slot(0), Slot(7)}, 3)) {
    found += invocation.request_id;
  }
  EXPECT_EQ(found, "456");
  EXPECT_EQ(history.items().size(), 5);
}

}  // namespace
}  // namespace byoshin::local::dashboard
