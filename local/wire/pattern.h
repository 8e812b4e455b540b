// The regular expressions of AWS's models, which are Java's.
//
//   if (!MatchesPattern(shape.pattern(), text)) ...
#ifndef BYOSHIN_LOCAL_WIRE_PATTERN_H_
#define BYOSHIN_LOCAL_WIRE_PATTERN_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::wire {

// The expression as RE2 has it. Repetitions beyond RE2's 1,000 have no upper
// limit: the shape's length has one.
std::string TranslatePattern(absl::string_view pattern);

// Whether RE2 can express the pattern: it has no lookarounds.
bool IsCheckable(absl::string_view pattern);

// Whether the whole text matches, or the pattern can't be checked. Thread-safe.
// A pattern is compiled when it is first used, and kept: the patterns of models
// are few.
bool MatchesPattern(absl::string_view pattern, absl::string_view text);

}  // namespace byoshin::local::wire

#endif  // BYOSHIN_LOCAL_WIRE_PATTERN_H_
