// The progress of a simulation that keeps its data: a small file in the data
// folder, so that the next run continues where this one stopped or was killed.
//
//   absl::StatusOr<std::optional<SimulationState>> state = ReadState(folder);
//   ...
//   absl::Status saved = SaveState(folder, {.start = start, .now = now});
#ifndef BYOSHIN_LOCAL_CLI_SIMULATION_STATE_H_
#define BYOSHIN_LOCAL_CLI_SIMULATION_STATE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace byoshin::local::cli {

// In whole seconds.
struct SimulationState {
  // The first minute.
  absl::Time start;
  // All that was due until then is done.
  absl::Time now;
};

// Without value if `folder` is empty or does not exist. FailedPrecondition if
// it contains data that is not a simulation's, DataLoss if the file is damaged.
absl::StatusOr<std::optional<SimulationState>> ReadState(
    const std::string& folder);

// Creates the folder if it does not exist. If the process is killed meanwhile,
// the previous state is kept.
absl::Status SaveState(const std::string& folder, const SimulationState& state);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIMULATION_STATE_H_
