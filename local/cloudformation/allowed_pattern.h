// A parameter's AllowedPattern.
//
//   absl::StatusOr<bool> fits =
//       MatchesAllowedPattern("^[a-z]{3,63}$", "orders");
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_ALLOWED_PATTERN_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_ALLOWED_PATTERN_H_

#include <string>

#include "absl/status/statusor.h"

namespace byoshin::local::cloudformation {

// Whether `expression` matches the whole `text`. CloudFormation uses Java's
// regular expressions; these are RE2's, which take linear time for every
// pattern. InvalidArgument for what RE2 does not support (look-ahead, back
// references) or interprets differently from Java (nested classes, "&&" in a
// class).
absl::StatusOr<bool> MatchesAllowedPattern(const std::string& expression,
                                           const std::string& text);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_ALLOWED_PATTERN_H_
