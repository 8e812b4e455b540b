#include "local/dashboard/history.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::local::dashboard {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1764633600);

std::vector<std::int64_t> Ids(const LogPage& page) {
  std::vector<std::int64_t> ids;
  for (const LogLine& line : page.lines) ids.push_back(line.id);
  return ids;
}

TEST(LogHistory, FindsTheNewestOrGoesOnFromAnId) {
  LogHistory logs({.lines = 4, .bytes = 1000});
  for (int i = 1; i <= 6; ++i) logs.Add(kStart, "f", "line");
  EXPECT_EQ(Ids(logs.Find({.limit = 2})), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(Ids(logs.Find({.limit = 9})),
            (std::vector<std::int64_t>{3, 4, 5, 6}));
  const LogPage page = logs.Find({.after = 3, .limit = 2});
  EXPECT_EQ(Ids(page), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(page.next, 5);
  EXPECT_EQ(logs.Find({.after = 5, .limit = 2}).next, 6);
}

TEST(LogHistory, KeepsNoMoreBytesThanItMay) {
  LogHistory logs({.lines = 100, .bytes = 10});
  for (const char* text : {"123", "456", "7890"}) logs.Add(kStart, "f", text);
  EXPECT_EQ(Ids(logs.Find({.limit = 9})), (std::vector<std::int64_t>{1, 2, 3}));
  logs.Add(kStart, "f", "1234");
  EXPECT_EQ(Ids(logs.Find({.limit = 9})), (std::vector<std::int64_t>{3, 4}));
  logs.Add(kStart, "f", "longer than that");
  EXPECT_EQ(Ids(logs.Find({.limit = 9})), (std::vector<std::int64_t>{}));
  logs.Add(kStart, "f", "0123456789");
  logs.Clear();
  logs.Add(kStart, "f", "0123456789");
  EXPECT_EQ(Ids(logs.Find({.limit = 9})), (std::vector<std::int64_t>{7}));
}

TEST(LogHistory, FiltersByFunctionAndTextAndLooksOnAtTheRest) {
  LogHistory logs({.lines = 100, .bytes = 1000});
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
    history.Add(
        {.start = kStart + absl::Seconds(i), .request_id = std::to_string(i)});
  }
  std::string found;
  for (const Invocation& invocation :
       history.Newest({kStart, kStart + absl::Seconds(7)}, 3)) {
    found += invocation.request_id;
  }
  EXPECT_EQ(found, "456");
  EXPECT_EQ(history.items().size(), 5);
}

}  // namespace
}  // namespace byoshin::local::dashboard
