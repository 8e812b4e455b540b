// What the functions are told by their environment variables; the names are in
// constants.h.
//
//   absl::StatusOr<scheduler::SenderConfig> config =
//       scheduler::LoadSenderConfig(env::OfProcess());
//   if (!config.ok()) return config.status();  // names the variable
//
// Everything is checked here, once, at the start: a function that cannot work
// fails before its first invocation, and says why.
#ifndef BYOSHIN_CORE_SCHEDULER_CONFIG_H_
#define BYOSHIN_CORE_SCHEDULER_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/env/environment.h"

namespace byoshin::scheduler {

struct SenderConfig {
  std::string queue_url;
  // How far windows lie before the time they are asked about: not negative, a
  // multiple of the slot interval.
  absl::Duration window_lag = absl::ZeroDuration();
};

struct CollectorConfig {
  std::string api_base_url;
  std::string table_name;
  // The Sender's. Only the lateness that is measured depends on it.
  absl::Duration window_lag = absl::ZeroDuration();
};

// QUEUE_URL is required: the URL of a standard queue, since FIFO queues take no
// delay per message. WINDOW_LAG_SECONDS is 0 if it is not set.
//
// FailedPrecondition if a required variable is missing, InvalidArgument if one
// has a value that cannot be used; both name it.
absl::StatusOr<SenderConfig> LoadSenderConfig(
    const env::Environment& environment);

// AI_API_BASE_URL and AI_METRICS_TABLE_NAME are required. Errors as above.
absl::StatusOr<CollectorConfig> LoadCollectorConfig(
    const env::Environment& environment);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_CONFIG_H_
