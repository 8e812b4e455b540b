#include "local/cloudformation/allowed_pattern.h"

#include <re2/re2.h>

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {
namespace {

// In Java, "[a[bc]]" and "[a-z&&[^b]]" are unions and intersections.
bool CombinesClasses(const std::string& expression) {
  bool in_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '\\') {
      ++i;
    } else if (!in_class) {
      in_class = c == '[';
    } else if (c == '[' || expression.compare(i, 2, "&&") == 0) {
      return true;
    } else if (c == ']') {
      in_class = false;
    }
  }
  return false;
}

absl::Status ExpressionError(absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("regular expression: ", why));
}

}  // namespace

absl::StatusOr<bool> MatchesAllowedPattern(const std::string& expression,
                                           const std::string& text) {
  const RE2 pattern(expression, RE2::Quiet);
  if (!pattern.ok()) return ExpressionError(pattern.error());
  if (CombinesClasses(expression)) {
    return ExpressionError("classes within classes are not supported");
  }
  return RE2::FullMatch(text, pattern);
}

}  // namespace byoshin::local::cloudformation
