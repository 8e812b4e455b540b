#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/applications/scheduler/chart.h"
#include "local/applications/scheduler/chart_layout.h"
#include "local/applications/scheduler/png.h"

namespace byoshin::local::applications {
namespace {

constexpr int kMinSide = 200;
constexpr int kMaxSide = 8000;
constexpr int kMargin = 24;
constexpr int kGap = 10;  // between the plot and its labels
constexpr int kTickLength = 6;
constexpr int kLineWidth = 2;
// Pixels of a dot of the font.
constexpr int kLabelDot = 2;
constexpr int kTitleDot = 3;
// Between two labels of the time, at least.
constexpr int kLabelSpace = 16;
constexpr char kWidestTimeLabel[] = "00:00:00";

constexpr Color kPage = {255, 255, 255};
constexpr Color kGrid = {230, 235, 240};
constexpr Color kAxis = {120, 134, 148};
constexpr Color kText = {20, 32, 43};
constexpr Color kLabelText = {62, 76, 90};
constexpr Color kBand = {190, 222, 218};
constexpr Color kLine = {15, 118, 110};
constexpr Color kMissing = {248, 215, 215};
constexpr Color kMissingFoot = {198, 40, 40};

constexpr int TextHeight(int dot) { return Canvas::kCharacterHeight * dot; }

int TextWidth(const std::string& text, int dot = kLabelDot) {
  return static_cast<int>(text.size()) * Canvas::kCharacterWidth * dot;
}

class PngPicture {
 public:
  PngPicture(const Series& series, const PngChartOptions& options)
      : series_(series),
        options_(options),
        scale_(ScaleFor(series, 6)),
        canvas_(options.width, options.height, kPage) {
    plot_.y = kMargin;
    if (!options.title.empty()) plot_.y += TextHeight(kTitleDot) + kMargin;
    // A time may stand below each end.
    const int half_a_time = TextWidth(kWidestTimeLabel) / 2 + kGap;
    plot_.x = std::max(kMargin + TextWidth(ScaleLabel(scale_.top)) + kGap,
                       half_a_time);
    plot_.width = options.width - plot_.x - half_a_time;
    // Below it: times, and the summary.
    plot_.height = options.height - plot_.y - kTickLength - kGap -
                   2 * TextHeight(kLabelDot) - 2 * kMargin;
  }

  absl::StatusOr<std::string> Draw() {
    canvas_.Text(kMargin, kMargin, kTitleDot, options_.title, kText);
    DrawGaps();
    DrawValues();
    DrawTimes();
    DrawCurve();
    canvas_.Text(kMargin, options_.height - kMargin - TextHeight(kLabelDot),
                 kLabelDot, Summary(series_), kText);
    return canvas_.Png();
  }

 private:
  int Y(double value) const {
    return plot_.y + static_cast<int>(std::lround((1 - scale_.Share(value)) *
                                                  (plot_.height - 1)));
  }

  void DrawGaps() {
    int x = plot_.x;
    for (const Column& column : ColumnsOf(series_, plot_.width)) {
      if (column.has_missing) {
        canvas_.Fill({.x = x, .y = plot_.y, .width = 1, .height = plot_.height},
                     kMissing);
        canvas_.Fill({.x = x,
                      .y = plot_.y + plot_.height,
                      .width = 1,
                      .height = kTickLength},
                     kMissingFoot);
      }
      ++x;
    }
  }

  void DrawValues() {
    for (double value = scale_.bottom; value <= scale_.top + scale_.step / 2;
         value += scale_.step) {
      const std::string label = ScaleLabel(value);
      canvas_.Fill(
          {.x = plot_.x, .y = Y(value), .width = plot_.width, .height = 1},
          kGrid);
      // A character ends with a space.
      canvas_.Text(plot_.x - kGap - TextWidth(label) + kLabelDot,
                   Y(value) - TextHeight(kLabelDot) / 2, kLabelDot, label,
                   kLabelText);
    }
  }

  void DrawTimes() {
    const int foot = plot_.y + plot_.height;
    const int most = plot_.width / (TextWidth(kWidestTimeLabel) + kLabelSpace);
    for (const TimeTick& tick : TimeTicks(series_, most)) {
      const int x = plot_.x + static_cast<int>(
                                  std::lround(tick.share * (plot_.width - 1)));
      canvas_.Fill({.x = x, .y = plot_.y, .width = 1, .height = plot_.height},
                   kGrid);
      canvas_.Fill({.x = x, .y = foot, .width = 1, .height = kTickLength},
                   kAxis);
      const int width = TextWidth(tick.label) - kLabelDot;
      canvas_.Text(x - width / 2, foot + kTickLength + kGap, kLabelDot,
                   tick.label, kLabelText);
    }
    canvas_.Fill({.x = plot_.x, .y = foot, .width = plot_.width, .height = 1},
                 kAxis);
  }

  // Of each column the span, and its average joined to its neighbour's.
  void DrawCurve() {
    const std::vector<Column> columns = ColumnsOf(series_, plot_.width);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i].has_value) continue;
      const int x = plot_.x + static_cast<int>(i);
      if (columns[i].min != columns[i].max) {
        canvas_.Fill({.x = x,
                      .y = Y(columns[i].max),
                      .width = 1,
                      .height = Y(columns[i].min) - Y(columns[i].max) + 1},
                     kBand);
      }
      int top = Y(columns[i].average);
      int bottom = top;
      if (i > 0 && columns[i - 1].has_value) {
        top = std::min(top, Y(columns[i - 1].average));
        bottom = std::max(bottom, Y(columns[i - 1].average));
      }
      canvas_.Fill({.x = x,
                    .y = top,
                    .width = kLineWidth,
                    .height = bottom - top + kLineWidth},
                   kLine);
    }
  }

  const Series& series_;
  const PngChartOptions& options_;
  const Scale scale_;
  Canvas canvas_;
  Rectangle plot_;
};

}  // namespace

absl::StatusOr<std::string> PngChart(const Series& series,
                                     const PngChartOptions& options) {
  if (std::min(options.width, options.height) < kMinSide ||
      std::max(options.width, options.height) > kMaxSide) {
    return absl::InvalidArgumentError(
        "a picture is 200 to 8000 pixels wide, and as high");
  }
  return PngPicture(series, options).Draw();
}

}  // namespace byoshin::local::applications
