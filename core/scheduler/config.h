// The configuration of the functions, from environment variables; the names are
// in constants.h.
//
//   absl::StatusOr<scheduler::SenderConfig> config =
//       scheduler::LoadSenderConfig(env::OfProcess());
//   if (!config.ok()) return config.status();  // names the variable
//
// Everything is checked once, at the start: a misconfigured function fails
// before its first invocation, with the reason.
#ifndef BYOSHIN_CORE_SCHEDULER_CONFIG_H_
#define BYOSHIN_CORE_SCHEDULER_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/env/environment.h"

namespace byoshin::scheduler {

struct SenderConfig {
  std::string queue_url;
  // How far windows are moved back: not negative, a multiple of the slot
  // interval.
  absl::Duration window_lag = absl::ZeroDuration();
};

struct CollectorConfig {
  std::string api_base_url;
  std::string table_name;
  // The Sender's lag. It affects only the measured lateness.
  absl::Duration window_lag = absl::ZeroDuration();
};

// QUEUE_URL is required: the URL of a standard queue, since FIFO queues don't
// support a delay per message. WINDOW_LAG_SECONDS is 0 if it is not set.
//
// FailedPrecondition if a required variable is missing, InvalidArgument if a
// value is invalid; both name the variable.
absl::StatusOr<SenderConfig> LoadSenderConfig(
    const env::Environment& environment);

// AI_API_BASE_URL and AI_METRICS_TABLE_NAME are required. Errors as above.
absl::StatusOr<CollectorConfig> LoadCollectorConfig(
    const env::Environment& environment);

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_CONFIG_H_
