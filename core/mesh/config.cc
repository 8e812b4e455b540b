#include "core/mesh/config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/json/text.h"
#include "core/mesh/constants.h"

namespace byoshin::mesh {
namespace {

absl::Status LoadSeconds(const env::Environment& environment,
                         const char* variable, absl::Duration& duration) {
  const std::optional<std::string> text = env::NonEmpty(environment, variable);
  if (!text.has_value()) return absl::OkStatus();
  constexpr int64_t kMaxSeconds = int64_t{24} * 60 * 60;
  int64_t seconds = 0;
  if (!absl::SimpleAtoi(*text, &seconds) || seconds < 1 ||
      seconds > kMaxSeconds) {
    return absl::InvalidArgumentError(
        absl::StrCat("the environment variable ", variable,
                     " is invalid: ", json::Excerpt(*text),
                     " is not a number of seconds from 1 to ", kMaxSeconds));
  }
  duration = absl::Seconds(seconds);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Config> LoadConfig(const env::Environment& environment) {
  absl::StatusOr<std::string> table_name =
      env::Required(environment, kTableNameVariable);
  if (!table_name.ok()) return table_name.status();
  Config config = {.table_name = *std::move(table_name)};
  absl::Status status =
      LoadSeconds(environment, kHostIntervalVariable, config.host_interval);
  status.Update(LoadSeconds(environment, kMaxConnectionTimeVariable,
                            config.max_connection_time));
  if (!status.ok()) return status;
  return config;
}

}  // namespace byoshin::mesh
