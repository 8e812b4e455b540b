#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "local/applications/scheduler/chart.h"
#include "local/applications/scheduler/chart_layout.h"

namespace byoshin::local::applications {
namespace {

// Units of the picture, which is as wide as the window.
constexpr double kWidth = 1200;
constexpr double kHeight = 420;
constexpr double kLeft = 60;
constexpr double kRight = 1165;
constexpr double kTop = 16;
constexpr double kBottom = 380;
constexpr int kMaxHtmlTicks = 10;

constexpr absl::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #fff; --text: #14202b; --muted: #586674; --grid: #e3e8ee; --line: #0f766e; --bad: #c62828; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1319; --text: #e6edf3; --muted: #93a3b3; --grid: #263240; --line: #2dd4bf; --bad: #ff7b72; } }
body { margin: 24px; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0; } p { margin: 4px 0 12px; color: var(--muted); }
.chart { overflow-x: auto; } svg { display: block; width: 100%; min-width: 880px; height: auto; } text { fill: var(--muted); font-size: 15px; }
.grid { stroke: var(--grid); } .line { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round; }
.band { fill: var(--line); opacity: .18; } .missing { fill: var(--bad); opacity: .3; shape-rendering: crispEdges; }
)";

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"},
                                    {"<", "&lt;"},
                                    {">", "&gt;"},
                                    {"\"", "&quot;"},
                                    {"'", "&#39;"}});
}

class HtmlPicture {
 public:
  explicit HtmlPicture(const Series& series)
      : series_(series), scale_(ScaleFor(series, 6)) {}

  std::string Draw() {
    std::string svg = absl::StrFormat(
        "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">\n", kWidth,
        kHeight, Escaped(Summary(series_)));
    absl::StrAppend(&svg, Grid(), Gaps(), Curve(), "</svg>\n");
    return svg;
  }

 private:
  double X(std::size_t i) const {
    return kLeft + (kRight - kLeft) * static_cast<double>(i) /
                       static_cast<double>(series_.buckets.size());
  }
  double Y(double value) const {
    return kBottom - (kBottom - kTop) * scale_.Share(value);
  }

  std::string Grid() const {
    std::string grid;
    for (double value = scale_.bottom; value <= scale_.top + scale_.step / 2;
         value += scale_.step) {
      absl::StrAppendFormat(
          &grid,
          "<path class=\"grid\" d=\"M%g %.1fH%g\"/><text x=\"%g\" y=\"%.1f\" "
          "text-anchor=\"end\">%s</text>\n",
          kLeft, Y(value), kRight, kLeft - 8, Y(value) + 4, ScaleLabel(value));
    }
    for (const TimeTick& tick : TimeTicks(series_, kMaxHtmlTicks)) {
      const double x = kLeft + (kRight - kLeft) * tick.share;
      absl::StrAppendFormat(
          &grid,
          "<path class=\"grid\" d=\"M%.1f %gV%g\"/><text x=\"%.1f\" "
          "y=\"%g\" text-anchor=\"middle\">%s</text>\n",
          x, kTop, kBottom + 6, x, kBottom + 26, tick.label);
    }
    return grid;
  }

  std::string Gaps() const {
    std::string gaps;
    for (std::size_t i = 0; i < series_.buckets.size(); ++i) {
      const Bucket& bucket = series_.buckets[i];
      if (bucket.missing == 0) continue;
      absl::StrAppendFormat(
          &gaps,
          "<rect class=\"missing\" x=\"%.2f\" y=\"%g\" width=\"%.2f\" "
          "height=\"%g\"><title>%s: %d missing</title></rect>\n",
          X(i), kTop, std::max(X(i + 1) - X(i), 1.0), kBottom - kTop,
          TimeLabel(series_, series_.StartOf(i)), bucket.missing);
    }
    return gaps;
  }

  // Steps, broken where there is no value; and the span of what was merged.
  std::string Curve() const {
    std::string line;
    std::string band;
    bool pen_down = false;
    for (std::size_t i = 0; i < series_.buckets.size(); ++i) {
      const Bucket& bucket = series_.buckets[i];
      if (bucket.stored == 0) {
        pen_down = false;
        continue;
      }
      absl::StrAppendFormat(&line, "%s%.2f %.2fH%.2f", pen_down ? "L" : "M",
                            X(i), Y(bucket.average()), X(i + 1));
      pen_down = true;
      if (bucket.min == bucket.max) continue;
      absl::StrAppendFormat(&band, "M%.2f %.2fH%.2fV%.2fH%.2fZ", X(i),
                            Y(static_cast<double>(bucket.max)), X(i + 1),
                            Y(static_cast<double>(bucket.min)), X(i));
    }
    return absl::StrCat("<path class=\"band\" d=\"", band,
                        "\"/>\n<path class=\"line\" d=\"", line, "\"/>\n");
  }

  const Series& series_;
  const Scale scale_;
};

}  // namespace

std::string HtmlChart(const Series& series, absl::string_view title) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>",
      Escaped(title), "</title>\n<style>", kStyle,
      "</style>\n</head>\n<body>\n<h1>", Escaped(title), "</h1>\n<p>",
      Escaped(Summary(series)),
      "</p>\n<div class=\"chart\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Chart\">\n",
      HtmlPicture(series).Draw(), "</div>\n</body>\n</html>\n");
}

}  // namespace byoshin::local::applications
