// A series as a picture: for a terminal, as an HTML file, as a PNG file.
//
//   SeriesBuilder builder({.range = range, .max_buckets = 400, ...});
//   ...
//   std::cout << TerminalChart(series, {.width = 80, .height = 12});
//   WriteFile("chart.html", HtmlChart(series, "ai_response_count"));
//   WriteFile("chart.png", *PngChart(series, {.title = "ai_response_count"}));
//
// In all of them a missing slot is a gap that is marked, and 0 is a value.
// Times are UTC.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_CHART_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_CHART_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/applications/scheduler/series.h"

namespace byoshin::local::applications {

enum class Glyphs {
  kBraille,  // eight dots a character: a line
  kBlocks,   // eight heights a character: bars
  kAscii,    // for terminals without UTF-8: bars of '#'
};

struct TerminalChartOptions {
  // Characters, labels included. Less than 20 by 4 counts as that.
  int width = 80;
  int height = 12;
  Glyphs glyphs = Glyphs::kBraille;
};

// Ends with a line break. More buckets than 2 * width are merged, keeping
// extremes and gaps.
std::string TerminalChart(const Series& series,
                          const TerminalChartOptions& options);

// One file that needs no other, light or dark as the reader's system is.
std::string HtmlChart(const Series& series, absl::string_view title);

struct PngChartOptions {
  // Pixels, 200 to 8000.
  int width = 1200;
  int height = 480;
  std::string title{};
};

absl::StatusOr<std::string> PngChart(const Series& series,
                                     const PngChartOptions& options);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_CHART_H_
