#include "local/applications/scheduler/chart.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/applications/scheduler/chart_layout.h"
#include "local/applications/scheduler/png.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/slots.h"

namespace byoshin::local::applications {
namespace {

constexpr std::int64_t kGap = -1;

// One slot each; kGap is a missing one.
Series SeriesOf(const std::vector<std::int64_t>& counts,
                int max_buckets = 2000) {
  const auto end = static_cast<std::int64_t>(counts.size());
  SeriesBuilder builder(
      {.range = {kStart, kStart + end * absl::Seconds(5)},
       .max_buckets = max_buckets,
       .expected = {kStart, kStart + end * absl::Seconds(5)}});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == kGap) continue;
    builder.Add(SlotRecord{
        .slot = kStart + static_cast<std::int64_t>(i) * absl::Seconds(5),
        .count = counts[i]});
  }
  return std::move(builder).Build();
}

// 0 to 10 and back to 0, with a gap, 18 characters wide.
std::vector<std::int64_t> Saw() {
  std::vector<std::int64_t> counts;
  for (int i = 0; i < 36; ++i) {
    counts.push_back(i >= 20 && i < 24 ? kGap : i / 2 % 11);
  }
  return counts;
}

TEST(TerminalChart, DrawsALineWithTheGapLeftOut) {
  EXPECT_EQ(TerminalChart(SeriesOf(Saw()), {.width = 22, .height = 5}),
            "10 ┤         ⡤\n"
            "   │       ⡤⠏⠁\n"
            " 5 ┤    ⣀⡤⠏⠁       ⣀⡤⠏\n"
            "   │  ⣀⡖⠃        ⣀⡖⠃\n"
            " 0 ┤⣀⡖⠃         ⠒⠃\n"
            "   └──────────××──────\n"
            "    00:00:00  00:03:00\n"
            "2025-12-02 00:00:00 - 00:03:00 UTC, one value every 5s; 32 of 36 "
            "slots stored, 4 missing\n");
}

TEST(TerminalChart, DrawsBarsInWhichZeroIsLowAndAGapIsNothing) {
  const Series series =
      SeriesOf({0, 1, 2, kGap, 4, 4, 0, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4});
  EXPECT_EQ(
      TerminalChart(series,
                    {.width = 20, .height = 4, .glyphs = Glyphs::kBlocks}),
      "4 ┤    ██  █████████\n"
      "  │    ██  █████████\n"
      "2 ┤  █ ██ ██████████\n"
      "0 ┤▁██ ██▁██████████\n"
      "  └───×─────────────\n"
      "   00:00:00 00:01:25\n"
      "2025-12-02 00:00:00 - 00:01:25 UTC, one value every 5s; 16 of 17 slots "
      "stored, 1 missing\n");
  EXPECT_EQ(TerminalChart(series,
                          {.width = 20, .height = 4, .glyphs = Glyphs::kAscii}),
            "4 +    ##  #########\n"
            "  |    ##  #########\n"
            "2 +  # ## ##########\n"
            "0 +_## ##_##########\n"
            "  +---x-------------\n"
            "   00:00:00 00:01:25\n"
            "2025-12-02 00:00:00 - 00:01:25 UTC, one value every 5s; 16 of 17 "
            "slots stored, 1 missing\n");
}

TEST(TerminalChart, IsNeverWiderThanAskedForAndShowsEveryGap) {
  std::vector<std::int64_t> counts(20000, 7);
  counts[12345] = kGap;
  for (const Glyphs glyphs :
       {Glyphs::kBraille, Glyphs::kBlocks, Glyphs::kAscii}) {
    const std::string chart =
        TerminalChart(SeriesOf(counts), {.width = 60, .glyphs = glyphs});
    EXPECT_TRUE(
        absl::StrContains(chart, glyphs == Glyphs::kAscii ? "-x-" : "×"));
    const std::vector<std::string> lines = absl::StrSplit(chart, '\n');
    for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
      int characters = 0;
      for (const char c : lines[i]) characters += (c & 0xC0) != 0x80 ? 1 : 0;
      EXPECT_LE(characters, 60) << lines[i];
    }
  }
}

TEST(TerminalChart, TakesNothingAndHugeNumbersAndTinyTerminals) {
  EXPECT_FALSE(
      TerminalChart(SeriesOf({kGap, kGap}), {.width = 0, .height = 0}).empty());
  EXPECT_FALSE(TerminalChart(SeriesOf({0, 0, 0}), {}).empty());
  EXPECT_TRUE(absl::StrContains(
      TerminalChart(SeriesOf({9'000'000'000'000'000'000, 1}), {}), "1e+19"));
}

TEST(HtmlChart, NeedsNoOtherFileAndEscapesItsTitle) {
  const std::string page = HtmlChart(SeriesOf(Saw()), "<b>\"counts\" & more");
  EXPECT_TRUE(
      absl::StrContains(page, "&lt;b&gt;&quot;counts&quot; &amp; more"));
  EXPECT_FALSE(absl::StrContains(page, "<b>"));
  EXPECT_FALSE(absl::StrContains(page, "://"));
  EXPECT_FALSE(absl::StrContains(page, "<script"));
  EXPECT_TRUE(absl::StrContains(page, "32 of 36 slots stored, 4 missing"));
}

TEST(HtmlChart, BreaksTheLineAtAGap) {
  const std::string page = HtmlChart(SeriesOf({1, 2, kGap, 0}), "t");
  const std::vector<std::string> paths =
      absl::StrSplit(page, "<path class=\"line\" d=\"");
  ASSERT_EQ(paths.size(), 2);
  const std::vector<std::string> pieces =
      absl::StrSplit(paths[1].substr(0, paths[1].find('"')), 'M');
  EXPECT_EQ(pieces.size(), 3);  // nothing before the first, then two
  EXPECT_TRUE(absl::StrContains(page, "00:00:10: 1 missing"));
}

// The pixels of a PNG that Canvas has written, or an empty string.
std::string PixelsOf(const std::string& png, std::size_t size) {
  const std::size_t data = png.find("IDAT");
  std::string pixels(size, '\0');
  uLongf length = pixels.size();
  if (data == std::string::npos ||
      uncompress(reinterpret_cast<Bytef*>(pixels.data()), &length,
                 reinterpret_cast<const Bytef*>(png.data()) + data + 4,
                 png.size() - data - 4) != Z_OK ||
      length != size) {
    return {};
  }
  return pixels;
}

TEST(PngChart, IsAPngOfTheSizeAskedFor) {
  const absl::StatusOr<std::string> png =
      PngChart(SeriesOf(Saw()), {.width = 300, .height = 200, .title = "t"});
  ASSERT_TRUE(png.ok());
  EXPECT_TRUE(absl::StartsWith(*png, "\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png->substr(16, 8), std::string("\0\0\x01\x2c\0\0\0\xc8", 8));
  EXPECT_FALSE(PixelsOf(*png, 200 * (1 + 300 * 3)).empty());
  // The checksum that ends every PNG.
  EXPECT_TRUE(absl::EndsWith(*png, "IEND\xae\x42\x60\x82"));
}

TEST(PngChart, PaintsAGapInItsOwnColour) {
  const std::string foot = "\xc6\x28\x28";
  const std::string with = PixelsOf(
      *PngChart(SeriesOf({1, kGap, 0, 1}), {.width = 400, .height = 200}),
      200 * (1 + 400 * 3));
  const std::string without =
      PixelsOf(*PngChart(SeriesOf({1, 1, 0, 1}), {.width = 400, .height = 200}),
               200 * (1 + 400 * 3));
  EXPECT_TRUE(absl::StrContains(with, foot));
  EXPECT_FALSE(absl::StrContains(without, foot));
}

TEST(PngChart, RefusesSizesThatMakeNoSense) {
  for (const int side : {-1, 0, 199, 8001}) {
    EXPECT_EQ(PngChart(SeriesOf({1}), {.width = side}).status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(PngChart(SeriesOf({1}), {.height = side}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(Canvas, CutsOffWhatIsOutside) {
  Canvas canvas(10, 10, {1, 2, 3});
  canvas.Text(-3, -3, 2, "8%z?", {7, 7, 7});
  canvas.Fill({.x = -5, .y = -5, .width = 100, .height = 13}, {1, 2, 3});
  canvas.Fill({.x = -5, .y = 8, .width = 100, .height = 100}, {9, 9, 9});
  EXPECT_EQ(canvas.At(0, 9), (Color{9, 9, 9}));
  EXPECT_EQ(canvas.At(9, 8), (Color{9, 9, 9}));
  EXPECT_EQ(canvas.At(9, 7), (Color{1, 2, 3}));
}

TEST(Canvas, WritesLettersOfBothCases) {
  constexpr Color kInk = {7, 7, 7};
  Canvas canvas(36, 18, {});
  canvas.Text(0, 0, 2, "Ll.", kInk);
  EXPECT_EQ(canvas.At(0, 0), kInk);
  EXPECT_EQ(canvas.At(8, 0), (Color{}));
  EXPECT_EQ(canvas.At(9, 13), kInk);
  EXPECT_EQ(canvas.At(12, 0), (Color{}));
  EXPECT_EQ(canvas.At(14, 0), kInk);
  EXPECT_EQ(canvas.At(26, 0), (Color{}));
  EXPECT_EQ(canvas.At(26, 13), kInk);
}

TEST(Canvas, WritesLargeLettersAndWhatIsBelowTheLine) {
  constexpr Color kInk = {8, 8, 8};
  Canvas canvas(18, 27, {});
  canvas.Text(0, 0, 3, "p", kInk);
  EXPECT_EQ(canvas.At(0, 5), (Color{}));
  EXPECT_EQ(canvas.At(0, 6), kInk);
  EXPECT_EQ(canvas.At(0, 26), kInk);
  // The round corner is smoothed.
  EXPECT_EQ(canvas.At(14, 6), (Color{}));
  EXPECT_EQ(canvas.At(12, 7), (Color{4, 4, 4}));
}

// Of a series that begins at 00:00 and has so many slots.
std::string TickLabels(int slots, int most) {
  std::string labels;
  double last = -1;
  for (const TimeTick& tick : TimeTicks(
           SeriesOf(std::vector<std::int64_t>(static_cast<std::size_t>(slots))),
           most)) {
    EXPECT_GT(tick.share, last);
    EXPECT_LE(tick.share, 1);
    last = tick.share;
    absl::StrAppend(&labels, labels.empty() ? "" : " ", tick.label);
  }
  return labels;
}

TEST(TimeTicks, AreAtRoundTimes) {
  EXPECT_EQ(TickLabels(7, 4), "12-02 00:00:15 00:00:30");
  EXPECT_EQ(TickLabels(36, 8),
            "12-02 00:00:30 00:01:00 00:01:30 00:02:00 "
            "00:02:30 00:03:00");
  EXPECT_EQ(TickLabels(60, 8), "12-02 00:01 00:02 00:03 00:04 00:05");
  EXPECT_EQ(TickLabels(17280, 6), "12-02 06:00 12:00 18:00 12-03");
  EXPECT_EQ(TickLabels(17280 * 20, 6), "12-08 12-15 12-22");
  EXPECT_EQ(TickLabels(36, 0), "");
}

TEST(TimeTicks, DoNotDependOnWhereTheRangeBegins) {
  const absl::Time from = kStart + absl::Minutes(607) + absl::Seconds(35);
  SeriesBuilder builder(
      {.range = {from, from + absl::Minutes(15)}, .max_buckets = 2000});
  const std::vector<TimeTick> ticks = TimeTicks(std::move(builder).Build(), 6);
  ASSERT_EQ(ticks.size(), 3);
  EXPECT_EQ(ticks[0].label, "10:10");
  EXPECT_NEAR(ticks[0].share, 145.0 / 900, 1e-9);
  EXPECT_EQ(ticks[2].label, "10:20");
}

TEST(HtmlChart, HasTicksAtRoundTimes) {
  const std::string page = HtmlChart(SeriesOf(Saw()), "t");
  for (const char* label : {">00:00:30<", ">00:01:00<", ">00:03:00<"}) {
    EXPECT_TRUE(absl::StrContains(page, label)) << label;
  }
}

}  // namespace
}  // namespace byoshin::local::applications
