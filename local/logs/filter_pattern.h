// CloudWatch Logs' filter patterns, as far as the local cloud supports them:
// terms, and comparisons of JSON, for which see json_pattern.h.
//
//   absl::StatusOr<FilterPattern> pattern =
//       FilterPattern::Parse("ERROR -healthz \"time out\"");
//   pattern->Matches(line);
//
// A line matches if it contains all terms, and none of those with a minus sign
// in front. Of terms with a question mark, it must contain at least one. A term
// with spaces is quoted.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
#ifndef BYOSHIN_LOCAL_LOGS_FILTER_PATTERN_H_
#define BYOSHIN_LOCAL_LOGS_FILTER_PATTERN_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/logs/json_pattern.h"

namespace byoshin::local::logs {

inline constexpr std::size_t kMaxFilterPatternLength = 1024;

// A value.
class FilterPattern {
 public:
  // InvalidParameterException for patterns of columns ([…]) and regular
  // expressions (%…%), for those that are longer than kMaxFilterPatternLength,
  // and if terms with and without "?" are combined; AWS then ignores the "?".
  static absl::StatusOr<FilterPattern> Parse(absl::string_view text);

  bool Matches(absl::string_view line) const;

 private:
  std::optional<JsonPattern> json_;
  std::vector<std::string> all_;
  std::vector<std::string> any_;
  std::vector<std::string> none_;
};

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_FILTER_PATTERN_H_
