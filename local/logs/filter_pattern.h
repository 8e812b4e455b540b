// What of CloudWatch Logs' filter patterns the local cloud understands: terms.
//
//   absl::StatusOr<FilterPattern> pattern =
//       FilterPattern::Parse("ERROR -healthz \"time out\"");
//   pattern->Matches(line);
//
// A line has all the terms, and none of those behind a minus sign; of terms
// behind a question mark it has at least one. Quotes hold a term together.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
#ifndef BYOSHIN_LOCAL_LOGS_FILTER_PATTERN_H_
#define BYOSHIN_LOCAL_LOGS_FILTER_PATTERN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::logs {

// A value.
class FilterPattern {
 public:
  // InvalidParameterException for patterns of JSON ({…}), of columns ([…]) and
  // of regular expressions (%…%), and where "?" stands beside other terms,
  // which AWS itself ignores then.
  static absl::StatusOr<FilterPattern> Parse(absl::string_view text);

  bool Matches(absl::string_view line) const;

 private:
  std::vector<std::string> all_;
  std::vector<std::string> any_;
  std::vector<std::string> none_;
};

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_FILTER_PATTERN_H_
