// The configuration of the functions, from environment variables; the names and
// defaults are in constants.h. Everything is checked once, at the start.
//
//   absl::StatusOr<ModelConfig> model = LoadModelConfig(env::OfProcess());
//   if (!model.ok()) return model.status();  // names the variable
//
// FailedPrecondition if a required variable is missing, InvalidArgument if a
// value is invalid; both name the variable.
#ifndef BYOSHIN_CORE_GENERATION_CONFIG_H_
#define BYOSHIN_CORE_GENERATION_CONFIG_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/aws/rdsdata/client.h"
#include "core/env/environment.h"
#include "core/generation/database_users.h"

namespace byoshin::generation {

struct ModelConfig {
  std::string model_id{};
  double temperature = 0;
  int max_tokens = 0;
};

struct ApiConfig {
  // For the CORS headers.
  std::string allowed_origin{};
};

// MODEL_ID, MODEL_TEMPERATURE (0 to 1) and MODEL_MAX_TOKENS, all optional.
absl::StatusOr<ModelConfig> LoadModelConfig(
    const env::Environment& environment);

// DATABASE_CLUSTER_ARN and DATABASE_SECRET_ARN are required, DATABASE_NAME is
// optional.
absl::StatusOr<aws::rdsdata::Database> LoadDatabaseConfig(
    const env::Environment& environment);

// The reader with READER_SECRET_ARN and the writer with WRITER_SECRET_ARN, both
// required.
absl::StatusOr<std::vector<DatabaseUser>> LoadDatabaseUsers(
    const env::Environment& environment);

// STATE_MACHINE_ARN, required.
absl::StatusOr<std::string> LoadStateMachineArn(
    const env::Environment& environment);

// ALLOWED_ORIGIN, optional.
ApiConfig LoadApiConfig(const env::Environment& environment);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_CONFIG_H_
