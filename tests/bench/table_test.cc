#include "tests/bench/table.h"

#include "gtest/gtest.h"

namespace byoshin::bench {
namespace {

TEST(Median, IsTheMiddleOneWhateverTheOrder) {
  EXPECT_EQ(Median({9, 1, 5}), 5);
  EXPECT_EQ(Median({4, 1, 2, 100}), 3);
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({}), 0);
}

TEST(ToMarkdown, SaysHowManyTimesBetterOursIs) {
  EXPECT_EQ(ToMarkdown({{.what = "start", .unit = "ms", .ours = 4, .node = 300},
                        {.what = "speed",
                         .unit = "/s",
                         .ours = 2000,
                         .node = 160,
                         .better = Row::Direction::kMore}}),
            "| | Byoshin | Node.js 20 | ratio |\n"
            "|---|---:|---:|---:|\n"
            "| start | 4.00 ms | 300 ms | 75.0× |\n"
            "| speed | 2000 /s | 160 /s | 12.5× |\n");
}

}  // namespace
}  // namespace byoshin::bench
