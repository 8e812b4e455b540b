#include "core/strings/wildcard.h"

#include <cstddef>

#include "absl/strings/string_view.h"

namespace byoshin::strings {

bool MatchesWildcards(absl::string_view pattern, absl::string_view text) {
  // Greedy with backtracking to the last '*', which takes one more character
  // whenever what follows does not match. Not recursive.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = absl::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != absl::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace byoshin::strings
