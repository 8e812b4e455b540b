// How far a simulation has come that keeps its data: a small file beside them,
// so that the next one goes on where this one stopped, or was killed.
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

// Nothing if `folder` is empty or not there. FailedPrecondition if it holds
// data that are not a simulation's, DataLoss if the file is damaged.
absl::StatusOr<std::optional<SimulationState>> ReadState(
    const std::string& folder);

// Makes the folder if it is not there. Whoever is killed in the middle leaves
// the state before.
absl::Status SaveState(const std::string& folder, const SimulationState& state);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIMULATION_STATE_H_
