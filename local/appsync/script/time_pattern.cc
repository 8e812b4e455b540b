#include "local/appsync/script/time_pattern.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::appsync::script {
namespace {

using Kind = TimePatternItem::Kind;

constexpr size_t kMaxPatternBytes = 200;
constexpr absl::string_view kPatternLetters = "GuyDMLdQqEahKkHmsSAnNVzOXxZ";

absl::Status InvalidPattern(absl::string_view pattern, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("Invalid date format \"", pattern, "\": ", why));
}

int MaxCount(char letter) {
  switch (letter) {
    case 'V':
      return 2;
    case 'z':
      return 3;
    case 'S':
      return 9;
    case 'D':
      return 3;
    case 'd':
    case 'h':
    case 'K':
    case 'k':
    case 'H':
    case 'm':
    case 's':
      return 2;
    case 'a':
      return 1;
    case 'O':
      return 4;
    case 'u':
    case 'y':
    case 'A':
    case 'n':
    case 'N':
      return 19;
    default:
      return 5;
  }
}

// The text in quotes at the start of `rest`; '' is a quote.
absl::StatusOr<std::string> TakeQuoted(absl::string_view pattern,
                                       absl::string_view& rest) {
  rest.remove_prefix(1);
  if (!rest.empty() && rest.front() == '\'') {
    rest.remove_prefix(1);
    return std::string("'");
  }
  std::string text;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\'') {
      text += c;
    } else if (!rest.empty() && rest.front() == '\'') {
      text += c;
      rest.remove_prefix(1);
    } else {
      return text;
    }
  }
  return InvalidPattern(pattern, "a quote is missing");
}

absl::StatusOr<TimePatternItem> TakeLetter(absl::string_view pattern,
                                           absl::string_view& rest) {
  TimePatternItem item{.kind = Kind::kLetter,
                       .letter = rest.front(),
                       .count = 0,
                       .text = std::string()};
  while (!rest.empty() && rest.front() == item.letter) {
    ++item.count;
    rest.remove_prefix(1);
  }
  const std::string letters(static_cast<size_t>(item.count), item.letter);
  if (kPatternLetters.find(item.letter) == absl::string_view::npos ||
      item.count > MaxCount(item.letter) ||
      (item.letter == 'V' && item.count != 2) ||
      (item.letter == 'O' && item.count != 1 && item.count != 4)) {
    return InvalidPattern(pattern, absl::StrCat(letters, " is not supported"));
  }
  return item;
}

}  // namespace

absl::StatusOr<std::vector<TimePatternItem>> ParseTimePattern(
    absl::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes) {
    return InvalidPattern("...", "it is too long");
  }
  std::vector<TimePatternItem> items;
  int open = 0;
  for (absl::string_view rest = pattern; !rest.empty();) {
    const char c = rest.front();
    if (absl::ascii_isalpha(static_cast<unsigned char>(c))) {
      absl::StatusOr<TimePatternItem> item = TakeLetter(pattern, rest);
      if (!item.ok()) return item.status();
      items.push_back(*std::move(item));
    } else if (c == '\'') {
      absl::StatusOr<std::string> text = TakeQuoted(pattern, rest);
      if (!text.ok()) return text.status();
      items.push_back({.kind = Kind::kText,
                       .letter = 0,
                       .count = 0,
                       .text = *std::move(text)});
    } else {
      const bool begins = c == '[';
      const bool ends = c == ']';
      open += static_cast<int>(begins) - static_cast<int>(ends);
      if (open < 0) return InvalidPattern(pattern, "[ is missing");
      if (c == '{' || c == '}' || c == '#') {
        return InvalidPattern(pattern, "{, } and # are reserved");
      }
      items.push_back({.kind = begins ? Kind::kOptionalBegin
                               : ends ? Kind::kOptionalEnd
                                      : Kind::kText,
                       .letter = 0,
                       .count = 0,
                       .text = std::string(1, c)});
      rest.remove_prefix(1);
    }
  }
  // Java closes what is left open.
  for (; open > 0; --open) {
    items.push_back({.kind = Kind::kOptionalEnd,
                     .letter = 0,
                     .count = 0,
                     .text = std::string()});
  }
  return items;
}

}  // namespace byoshin::local::appsync::script
