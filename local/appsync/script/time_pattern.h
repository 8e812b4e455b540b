// The parts of a pattern for times. For this folder alone.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_PATTERN_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_PATTERN_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::appsync::script {

inline constexpr std::array<absl::string_view, 12> kMonthNames = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
inline constexpr std::array<absl::string_view, 7> kDayNames = {
    "Monday", "Tuesday",  "Wednesday", "Thursday",
    "Friday", "Saturday", "Sunday"};
inline constexpr size_t kShortNameLength = 3;
// "1st quarter"
inline constexpr std::array<absl::string_view, 4> kOrdinalEndings = {
    "st", "nd", "rd", "th"};
inline constexpr absl::string_view kQuarterEnding = " quarter";

struct TimePatternItem {
  enum class Kind { kLetter, kText, kOptionalBegin, kOptionalEnd };
  Kind kind = Kind::kText;
  char letter = 0;
  // How often the letter is repeated.
  int count = 0;
  std::string text;
};

absl::StatusOr<std::vector<TimePatternItem>> ParseTimePattern(
    absl::string_view pattern);

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_PATTERN_H_
