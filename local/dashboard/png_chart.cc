#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/dashboard/chart.h"
#include "local/dashboard/chart_layout.h"
#include "local/dashboard/png.h"

namespace byoshin::local::dashboard {
namespace {

constexpr int kMinSide = 200;
constexpr int kMaxSide = 8000;
constexpr int kMargin = 16;
constexpr int kLineWidth = 2;
constexpr int kPngTimeLabels = 4;

constexpr Color kPage = {255, 255, 255};
constexpr Color kGrid = {227, 232, 238};
constexpr Color kText = {60, 74, 88};
constexpr Color kBand = {200, 226, 223};
constexpr Color kLine = {15, 118, 110};
constexpr Color kGap = {246, 208, 208};
constexpr Color kGapFoot = {198, 40, 40};

int TextWidth(const std::string& text) {
  return static_cast<int>(text.size()) * Canvas::kCharacterWidth;
}

class PngPicture {
 public:
  PngPicture(const Series& series, const PngChartOptions& options)
      : series_(series),
        options_(options),
        scale_(ScaleFor(series, 6)),
        canvas_(options.width, options.height, kPage) {
    plot_.y = options.title.empty() ? kMargin
                                    : 2 * kMargin + Canvas::kCharacterHeight;
    plot_.x = kMargin / 2 + TextWidth(ScaleLabel(scale_.top)) + kMargin;
    plot_.width = options.width - plot_.x - kMargin;
    plot_.height = options.height - plot_.y -
                   2 * (kMargin / 2 + Canvas::kCharacterHeight) - kMargin;
  }

  absl::StatusOr<std::string> Draw() {
    canvas_.Text(kMargin, kMargin, options_.title, kText);
    DrawGaps();
    DrawGrid();
    DrawCurve();
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
                     kGap);
        canvas_.Fill(
            {.x = x, .y = plot_.y + plot_.height, .width = 1, .height = 4},
            kGapFoot);
      }
      ++x;
    }
  }

  void DrawGrid() {
    for (double value = scale_.bottom; value <= scale_.top + scale_.step / 2;
         value += scale_.step) {
      canvas_.Fill(
          {.x = plot_.x, .y = Y(value), .width = plot_.width, .height = 1},
          kGrid);
      const std::string label = ScaleLabel(value);
      canvas_.Text(plot_.x - kMargin / 2 - TextWidth(label),
                   Y(value) - Canvas::kCharacterHeight / 2, label, kText);
    }
    const int below = plot_.y + plot_.height + kMargin / 2;
    for (int i = 0; i <= kPngTimeLabels; ++i) {
      const std::string label =
          TimeLabel(series_, series_.StartOf(series_.buckets.size() *
                                             static_cast<std::size_t>(i) /
                                             kPngTimeLabels));
      const int width = TextWidth(label);
      const int middle = plot_.x + plot_.width * i / kPngTimeLabels - width / 2;
      const int last = options_.width - kMargin - width;
      // Of a narrow picture, only the ends.
      if (i % kPngTimeLabels != 0 && plot_.width < 2 * kPngTimeLabels * width) {
        continue;
      }
      canvas_.Text(std::clamp(middle, std::min(plot_.x, last), last), below,
                   label, kText);
    }
    canvas_.Text(kMargin, below + Canvas::kCharacterHeight + kMargin / 2,
                 Summary(series_), kText);
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

}  // namespace byoshin::local::dashboard
