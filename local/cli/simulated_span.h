// The minutes that `byoshin simulate` covers.
//
//   absl::StatusOr<absl::Time> start =
//       ParseSimulatedStart("2026-01-01T00:00:00Z");
//   absl::StatusOr<absl::Time> end = SimulatedEnd(*start, absl::Hours(24));
#ifndef BYOSHIN_LOCAL_CLI_SIMULATED_SPAN_H_
#define BYOSHIN_LOCAL_CLI_SIMULATED_SPAN_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::cli {

// --start, floored to the minute, since schedules fire on minutes.
// InvalidArgument outside of the years in which they do.
absl::StatusOr<absl::Time> ParseSimulatedStart(absl::string_view text);

// `span` after `start`. InvalidArgument, about --for, if it lies beyond the
// years in which schedules fire.
absl::StatusOr<absl::Time> SimulatedEnd(absl::Time start, absl::Duration span);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIMULATED_SPAN_H_
