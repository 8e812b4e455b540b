#include "local/stepfunctions/language/retry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {
namespace {

// Longer than any execution can last.
constexpr double kLongestDelaySeconds = 100.0 * 366 * 24 * 60 * 60;

template <typename Handler>
std::optional<size_t> FindHandler(const std::vector<Handler>& handlers,
                                  absl::string_view error) {
  for (size_t i = 0; i < handlers.size(); ++i) {
    if (AppliesTo(handlers[i].error_equals, error)) return i;
  }
  return std::nullopt;
}

}  // namespace

bool AppliesTo(const std::vector<std::string>& error_equals,
               absl::string_view error) {
  if (error == kErrorRuntime) return false;
  return std::any_of(
      error_equals.begin(), error_equals.end(),
      [error](const std::string& name) {
        return name == error || name == kErrorAll ||
               (name == kErrorTaskFailed && error != kErrorTimeout);
      });
}

std::optional<size_t> FindRetrier(const std::vector<Retrier>& retriers,
                                  absl::string_view error) {
  return FindHandler(retriers, error);
}

std::optional<size_t> FindCatcher(const std::vector<Catcher>& catchers,
                                  absl::string_view error) {
  return FindHandler(catchers, error);
}

absl::Duration RetryDelay(const Retrier& retrier, int64_t attempt,
                          Random& random) {
  double seconds = static_cast<double>(retrier.interval_seconds) *
                   std::pow(retrier.backoff_rate, static_cast<double>(attempt));
  // Infinity times 0 is none.
  if (std::isnan(seconds)) seconds = 0;
  const double longest = retrier.max_delay_seconds
                             ? static_cast<double>(*retrier.max_delay_seconds)
                             : kLongestDelaySeconds;
  seconds = std::clamp(seconds, 0.0, longest);
  if (retrier.jitter == Retrier::Jitter::kFull) seconds *= random.Fraction();
  return absl::Seconds(seconds);
}

}  // namespace byoshin::local::stepfunctions
