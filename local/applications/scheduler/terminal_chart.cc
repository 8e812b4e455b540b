#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/applications/scheduler/chart.h"
#include "local/applications/scheduler/chart_layout.h"

namespace byoshin::local::applications {
namespace {

constexpr int kMinWidth = 20;
constexpr int kMinHeight = 4;
// Of a braille character.
constexpr int kDotsAcross = 2;
constexpr int kDotsDown = 4;
// Heights of a block character.
constexpr int kEighths = 8;

// The place for the curve: rows from the top, each a list of characters.
using Rows = std::vector<std::vector<std::string>>;

std::string Utf8(std::uint32_t code_point) {
  return {static_cast<char>(0xE0 | (code_point >> 12)),
          static_cast<char>(0x80 | ((code_point >> 6) & 0x3F)),
          static_cast<char>(0x80 | (code_point & 0x3F))};
}

int DotRow(double share, int dots) {
  return static_cast<int>(std::lround((1 - share) * (dots - 1)));
}

// Each column of dots from its least to its greatest value, and on to its
// neighbour, so that steps are joined; where a value is missing, nothing.
Rows DrawBraille(const Series& series, const Scale& scale, int width,
                 int height) {
  const std::vector<Column> columns = ColumnsOf(series, width * kDotsAcross);
  const int dots = height * kDotsDown;
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(width * height));
  // Of U+2800: which bit is the dot at (column, row).
  constexpr std::uint32_t kBits[kDotsAcross][kDotsDown] = {
      {0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
  for (std::size_t x = 0; x < columns.size(); ++x) {
    if (!columns[x].has_value) continue;
    int top = DotRow(scale.Share(columns[x].max), dots);
    int bottom = DotRow(scale.Share(columns[x].min), dots);
    if (x > 0 && columns[x - 1].has_value) {
      top = std::min(top, DotRow(scale.Share(columns[x - 1].min), dots));
      bottom = std::max(bottom, DotRow(scale.Share(columns[x - 1].max), dots));
    }
    for (int y = top; y <= bottom; ++y) {
      cells[static_cast<std::size_t>(y / kDotsDown * width) +
            x / kDotsAcross] |= kBits[x % kDotsAcross][y % kDotsDown];
    }
  }
  Rows rows(static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows[i / static_cast<std::size_t>(width)].push_back(
        cells[i] == 0 ? " " : Utf8(0x2800 + cells[i]));
  }
  return rows;
}

// A bar of each column's average; 0 is the lowest bar there is, not none.
Rows DrawBars(const Series& series, const Scale& scale, int width, int height,
              Glyphs glyphs) {
  const std::vector<Column> columns = ColumnsOf(series, width);
  Rows rows(static_cast<std::size_t>(height));
  for (int row = 0; row < height; ++row) {
    for (const Column& column : columns) {
      const int eighths =
          column.has_value
              ? std::max(static_cast<int>(std::lround(
                             scale.Share(column.average) * height * kEighths)),
                         1)
              : 0;
      const int here =
          std::clamp(eighths - (height - 1 - row) * kEighths, 0, kEighths);
      std::string glyph = " ";
      if (here > 0) {
        glyph = glyphs == Glyphs::kAscii
                    ? (here > kEighths / 2 ? "#"
                       : row == height - 1 ? "_"
                                           : " ")
                    : Utf8(0x2580 + static_cast<std::uint32_t>(here));
      }
      rows[static_cast<std::size_t>(row)].push_back(glyph);
    }
  }
  return rows;
}

// "10 | " before the rows that have a label.
std::vector<std::string> Labels(const Scale& scale, int height) {
  std::vector<std::string> labels(static_cast<std::size_t>(height));
  for (double value = scale.bottom; value <= scale.top + scale.step / 2;
       value += scale.step) {
    labels[static_cast<std::size_t>(DotRow(scale.Share(value), height))] =
        ScaleLabel(value);
  }
  return labels;
}

std::string Pad(absl::string_view text, std::size_t width) {
  return absl::StrCat(std::string(width - std::min(width, text.size()), ' '),
                      text);
}

// The line below the curve, with a cross where slots are missing.
std::string Axis(const Series& series, int width, bool ascii) {
  std::string axis = ascii ? "+" : "└";
  for (const Column& column : ColumnsOf(series, width)) {
    absl::StrAppend(
        &axis, column.has_missing ? (ascii ? "x" : "×") : (ascii ? "-" : "─"));
  }
  return axis;
}

std::string TimeLine(const Series& series, int width) {
  const std::string from = TimeLabel(series, series.from);
  const std::string to =
      TimeLabel(series, series.StartOf(series.buckets.size()));
  const auto space = static_cast<std::size_t>(width);
  return from.size() + to.size() < space
             ? absl::StrCat(from, Pad(to, space - from.size()))
             : from;
}

}  // namespace

std::string TerminalChart(const Series& series,
                          const TerminalChartOptions& options) {
  const int height = std::max(options.height, kMinHeight);
  const Scale scale = ScaleFor(series, std::max(height / 3, 2));
  const std::vector<std::string> labels = Labels(scale, height);
  std::size_t label_width = 0;
  for (const std::string& label : labels) {
    label_width = std::max(label_width, label.size());
  }
  const bool ascii = options.glyphs == Glyphs::kAscii;
  const int width =
      std::max(options.width, kMinWidth) - static_cast<int>(label_width) - 2;
  const Rows rows =
      options.glyphs == Glyphs::kBraille
          ? DrawBraille(series, scale, width, height)
          : DrawBars(series, scale, width, height, options.glyphs);
  std::string chart;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string line = absl::StrCat(
        Pad(labels[row], label_width), " ",
        labels[row].empty() ? (ascii ? "|" : "│") : (ascii ? "+" : "┤"));
    for (const std::string& glyph : rows[row]) line += glyph;
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&chart, line, "\n");
  }
  const std::string margin(label_width + 1, ' ');
  absl::StrAppend(&chart, margin, Axis(series, width, ascii), "\n", margin, " ",
                  TimeLine(series, width), "\n", Summary(series), "\n");
  return chart;
}

}  // namespace byoshin::local::applications
