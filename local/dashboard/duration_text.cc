#include "local/dashboard/duration_text.h"

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace byoshin::local::dashboard {
namespace {

constexpr std::int64_t kMinuteSeconds = 60;
constexpr std::int64_t kHourSeconds = 60 * kMinuteSeconds;
constexpr std::int64_t kDaySeconds = 24 * kHourSeconds;

// Half up, as JavaScript's Math.round() does, to units of 1 / `parts`.
double Rounded(double value, double parts) {
  return std::floor(value * parts + 0.5) / parts;
}

std::string MinutesAndSeconds(std::int64_t seconds) {
  const std::int64_t rest = seconds % kMinuteSeconds;
  return absl::StrCat(seconds / kMinuteSeconds, " min",
                      rest == 0 ? "" : absl::StrCat(" ", rest, " s"));
}

}  // namespace

std::string DurationText(absl::Duration duration) {
  if (duration < absl::ZeroDuration()) {
    return absl::StrCat("-", DurationText(-duration));
  }
  // Limits are where the text would round up to the next unit.
  const double millis = absl::ToDoubleMilliseconds(duration);
  if (millis < 0.95) return absl::StrCat(Rounded(millis, 100), " ms");
  if (millis < 9.95) return absl::StrCat(Rounded(millis, 10), " ms");
  if (millis < 999.5) return absl::StrCat(Rounded(millis, 1), " ms");
  if (millis < 59'950) return absl::StrCat(Rounded(millis / 1000, 10), " s");
  const double exact = Rounded(millis / 1000, 1);
  if (exact < 10 * kMinuteSeconds) {
    return MinutesAndSeconds(static_cast<std::int64_t>(exact));
  }
  if (exact < kHourSeconds - kMinuteSeconds / 2) {
    return absl::StrCat(Rounded(exact / kMinuteSeconds, 1), " min");
  }
  if (exact < kDaySeconds - kHourSeconds / 20) {
    return absl::StrCat(Rounded(exact / kHourSeconds, 10), " h");
  }
  return absl::StrCat(Rounded(exact / kDaySeconds, 10), " d");
}

}  // namespace byoshin::local::dashboard
