// The middle, the tail and the end of many durations.
#ifndef BYOSHIN_LOCAL_DASHBOARD_QUANTILES_H_
#define BYOSHIN_LOCAL_DASHBOARD_QUANTILES_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"

namespace byoshin::local::dashboard {

struct Quantiles {
  absl::Duration p50{};
  absl::Duration p99{};
  absl::Duration max{};
};

// Of all of them; reorders `durations`. Without value if there are none.
std::optional<Quantiles> QuantilesOf(std::vector<absl::Duration>& durations);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_QUANTILES_H_
