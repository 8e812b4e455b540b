// The parameters in the query of a request to the dashboard's API, for the
// frame's endpoints and for those of panels.
//
//   const absl::StatusOr<TimeRange> range = RangeParameters(request);
//   const absl::StatusOr<std::int64_t> limit =
//       IntParameter(request, "limit",
//                    {.least = 1, .most = 10000, .otherwise = 5000});
#ifndef BYOSHIN_LOCAL_DASHBOARD_PARAMETERS_H_
#define BYOSHIN_LOCAL_DASHBOARD_PARAMETERS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::dashboard {

// Decoded; empty if it is not there.
absl::StatusOr<std::string> TextParameter(const http::ServerRequest& request,
                                          absl::string_view name);

struct Limits {
  std::int64_t least;
  std::int64_t most;
  // If the parameter is not there; without value, it is required.
  std::optional<std::int64_t> otherwise{};
};

absl::StatusOr<std::int64_t> IntParameter(const http::ServerRequest& request,
                                          absl::string_view name,
                                          const Limits& limits);

// `from` and `to`, in milliseconds since 1970.
absl::StatusOr<TimeRange> RangeParameters(const http::ServerRequest& request);

// `buckets`: into how many a range is cut at most.
absl::StatusOr<std::int64_t> BucketsParameter(
    const http::ServerRequest& request);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_PARAMETERS_H_
