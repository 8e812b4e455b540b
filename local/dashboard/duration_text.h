// Durations in readable form.
//
//   DurationText(absl::Milliseconds(2.14));     // "2.1 ms"
//   DurationText(absl::Milliseconds(1929826));  // "32 min"
#ifndef BYOSHIN_LOCAL_DASHBOARD_DURATION_TEXT_H_
#define BYOSHIN_LOCAL_DASHBOARD_DURATION_TEXT_H_

#include <string>

#include "absl/time/time.h"

namespace byoshin::local::dashboard {

// Two significant digits or more, in ms, s, min, h or d: "0.42 ms", "12 ms",
// "3.1 s", "4 min 5 s", "32 min", "1.5 h", "2.3 d". The page's format.js does
// the same; duration_text_cases.json has examples that both are tested with.
std::string DurationText(absl::Duration duration);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_DURATION_TEXT_H_
