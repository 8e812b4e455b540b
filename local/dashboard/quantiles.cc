#include "local/dashboard/quantiles.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/time/time.h"

namespace byoshin::local::dashboard {
namespace {

using Durations = std::vector<absl::Duration>;

// Puts in its place, as if they were sorted, the smallest of `durations` that
// at least the share does not exceed. It must not come before `from`, and what
// does must not be larger than the rest.
Durations::iterator PlaceQuantile(Durations& durations,
                                  Durations::iterator from, double share) {
  const auto rank = static_cast<std::size_t>(
      share * static_cast<double>(durations.size()) + 0.9999999);
  const auto at = durations.begin() + static_cast<std::ptrdiff_t>(
                                          std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(from, at, durations.end());
  return at;
}

}  // namespace

std::optional<Quantiles> QuantilesOf(std::vector<absl::Duration>& durations) {
  if (durations.empty()) return std::nullopt;
  // Each is looked for only in what the one before has left above it.
  Quantiles quantiles;
  auto at = PlaceQuantile(durations, durations.begin(), 0.5);
  quantiles.p50 = *at;
  at = PlaceQuantile(durations, at, 0.99);
  quantiles.p99 = *at;
  quantiles.max = *std::max_element(at, durations.end());
  return quantiles;
}

}  // namespace byoshin::local::dashboard
