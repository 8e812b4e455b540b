// The configuration of the functions, from environment variables; the names are
// in constants.h. Everything is checked once, at the start.
//
//   absl::StatusOr<Config> config = LoadConfig(env::OfProcess());
//   if (!config.ok()) return config.status();  // names the variable
#ifndef BYOSHIN_CORE_MESH_CONFIG_H_
#define BYOSHIN_CORE_MESH_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/mesh/constants.h"

namespace byoshin::mesh {

struct Config {
  std::string table_name{};
  absl::Duration host_interval = kProductionIntervals.host_heartbeat;
  absl::Duration max_connection_time = kProductionIntervals.max_connection_time;
};

// MESH_TABLE_NAME is required; the others are those of production if they are
// not set. FailedPrecondition if it is missing, InvalidArgument if a value is
// invalid; both name the variable.
absl::StatusOr<Config> LoadConfig(const env::Environment& environment);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_CONFIG_H_
