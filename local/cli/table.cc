#include "local/cli/table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "local/cli/terminal.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::cli {
namespace {

constexpr std::size_t kColumnGap = 2;
// Of one character.
constexpr std::size_t kMaxUtf8Bytes = 4;

using Rows = std::vector<std::vector<std::string>>;

bool LooksLikeANumber(absl::string_view text) {
  return !text.empty() &&
         (absl::ascii_isdigit(static_cast<unsigned char>(text[0])) ||
          text[0] == '-') &&
         text.find_first_not_of("0123456789.,- dhimns") ==
             absl::string_view::npos;
}

bool BeginsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// Characters, not bytes: names may be in any script.
std::size_t Width(absl::string_view text) {
  return std::count_if(text.begin(), text.end(), BeginsCharacter);
}

// Where the character number `index` begins.
std::size_t ByteOf(absl::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (BeginsCharacter(text[at]) && index-- == 0) break;
  }
  return at;
}

std::size_t ColumnWidth(const std::string& header, const Rows& rows,
                        std::size_t column) {
  std::size_t width = Width(header);
  for (const std::vector<std::string>& row : rows) {
    width = std::max(width, Width(row[column]));
  }
  return width;
}

std::vector<std::size_t> ColumnWidths(const std::vector<std::string>& header,
                                      const Rows& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < header.size(); ++i) {
    widths.push_back(ColumnWidth(header[i], rows, i));
  }
  return widths;
}

std::size_t Sum(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) sum += width + kColumnGap;
  return sum - std::min(sum, kColumnGap);
}

// Makes names shorter until the table fits, or no column of names is wider than
// its header.
void Shorten(const std::vector<std::string>& header, const Paper& paper,
             const std::vector<std::size_t>& names, Rows& rows) {
  std::vector<std::size_t> widths = ColumnWidths(header, rows);
  if (Sum(widths) <= paper.columns) return;
  for (const std::size_t name : names) {
    for (std::vector<std::string>& row : rows) row[name] = ShortName(row[name]);
  }
  widths = ColumnWidths(header, rows);
  while (Sum(widths) > paper.columns) {
    std::size_t* widest = nullptr;
    for (const std::size_t name : names) {
      if (widths[name] <= Width(header[name])) continue;
      if (widest == nullptr || widths[name] > *widest) widest = &widths[name];
    }
    if (widest == nullptr) break;
    --*widest;
  }
  for (const std::size_t name : names) {
    for (std::vector<std::string>& row : rows) {
      row[name] = CutMiddle(row[name], widths[name], paper.ellipsis);
    }
  }
}

}  // namespace

Paper PaperOf(const Terminal& terminal, const env::Environment& environment) {
  Paper paper;
  if (terminal.is_interactive()) {
    paper.columns = static_cast<std::size_t>(terminal.columns());
  }
  if (UsesUtf8(environment)) paper.ellipsis = "…";
  return paper;
}

std::string FormatTable(const std::vector<std::string>& header, Rows rows,
                        const Paper& paper,
                        const std::vector<std::size_t>& names) {
  if (paper.columns > 0) Shorten(header, paper, names, rows);
  const std::vector<std::size_t> widths = ColumnWidths(header, rows);
  std::vector<bool> right(header.size(), !rows.empty());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!LooksLikeANumber(row[i])) right[i] = false;
    }
  }
  std::string out;
  const auto append = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - Width(row[i]), ' ');
      absl::StrAppend(&line, i == 0 ? "" : std::string(kColumnGap, ' '),
                      right[i] ? space : "", row[i], right[i] ? "" : space);
    }
    absl::StripTrailingAsciiWhitespace(&line);
    absl::StrAppend(&out, line, "\n");
  };
  append(header);
  for (const std::vector<std::string>& row : rows) append(row);
  return out;
}

std::string ShortName(absl::string_view name) {
  const std::vector<absl::string_view> parts = absl::StrSplit(name, '-');
  if (parts.size() < 3 || parts.front().empty()) return std::string(name);
  const absl::string_view id = parts[parts.size() - 2];
  const bool generated = cloudformation::IsNameSuffix(parts.back());
  const bool plain =
      !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
        return absl::ascii_isalnum(c);
      });
  return std::string(generated && plain ? id : name);
}

std::string CutEnd(absl::string_view text, std::size_t bytes,
                   absl::string_view ellipsis) {
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes;
  while (end > 0 && bytes - end < kMaxUtf8Bytes &&
         !BeginsCharacter(text[end])) {
    --end;
  }
  return absl::StrCat(text.substr(0, end), ellipsis);
}

std::string CutMiddle(absl::string_view text, std::size_t width,
                      absl::string_view ellipsis) {
  const std::size_t all = Width(text);
  if (all <= width) return std::string(text);
  const std::size_t kept = width - std::min(width, Width(ellipsis));
  const std::size_t head = (kept + 1) / 2;
  const std::size_t tail = kept - head;
  return absl::StrCat(text.substr(0, ByteOf(text, head)), ellipsis,
                      text.substr(ByteOf(text, all - tail)));
}

}  // namespace byoshin::local::cli
