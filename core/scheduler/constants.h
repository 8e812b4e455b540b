// The numbers and names of the data-collection scheduler, shared by the
// Lambdas, the template, the local cloud and the tests. The interval and the
// slots of a minute are in core/scheduler/slot.h.
#ifndef BYOSHIN_CORE_SCHEDULER_CONSTANTS_H_
#define BYOSHIN_CORE_SCHEDULER_CONSTANTS_H_

#include "absl/time/time.h"

namespace byoshin::scheduler {

// The table and what is in it.
inline constexpr char kMetricsTableName[] = "AiResponseMetrics";
inline constexpr char kMetricNameKey[] = "metricName";  // partition key
inline constexpr char kSlotTimeKey[] = "slotTime";      // sort key
inline constexpr char kCountAttribute[] = "count";
inline constexpr char kMetricName[] = "ai_response_count";
// Allows only the first write of a slot: every item has its key, so the key is
// missing exactly if the item is.
inline constexpr char kPutCondition[] = "attribute_not_exists(metricName)";

// The polled API.
inline constexpr char kResponseCountPath[] = "/response_count";
inline constexpr char kHealthPath[] = "/health";
inline constexpr char kFromParameter[] = "from";
inline constexpr char kToParameter[] = "to";

// Environment variables that the functions read.
inline constexpr char kQueueUrlVariable[] = "QUEUE_URL";
// Read by both: the Sender moves windows by it, the Collector computes the
// lateness with it.
inline constexpr char kWindowLagVariable[] = "WINDOW_LAG_SECONDS";
inline constexpr char kApiBaseUrlVariable[] = "AI_API_BASE_URL";
inline constexpr char kTableNameVariable[] = "AI_METRICS_TABLE_NAME";

// Time-outs of the functions; what they call must end well within them.
inline constexpr absl::Duration kSenderTimeout = absl::Seconds(30);
inline constexpr absl::Duration kCollectorTimeout = absl::Seconds(30);
inline constexpr absl::Duration kMockApiTimeout = absl::Seconds(10);
inline constexpr absl::Duration kApiConnectTimeout = absl::Seconds(2);
inline constexpr absl::Duration kApiTimeout = absl::Seconds(10);
// Reserved before a function's deadline, to report the outcome.
inline constexpr absl::Duration kDeadlineMargin = absl::Seconds(1);
inline constexpr int kMaxApiResponseBytes = 64 * 1024;

// The queue. AWS recommends a visibility timeout of six times the function's
// timeout.
inline const absl::Duration kVisibilityTimeout = 6 * kCollectorTimeout;
inline constexpr int kMaxReceiveCount = 5;
inline constexpr int kCollectorBatchSize = 1;

// The maximum attempts of the Sender for an entry that SQS rejected, and the
// pause before the second attempt, doubled for each further one.
inline constexpr int kSendAttempts = 4;
inline constexpr absl::Duration kSendRetryPause = absl::Milliseconds(100);
// The timeout of a batch, including the client's own retries: short enough that
// a batch that hangs leaves time for the other.
inline constexpr absl::Duration kSendTimeout = absl::Seconds(5);

// The Sender refuses minutes that begin later than this after the present one
// has begun: the event names a wrong time. The clocks of the schedule and of
// the function may differ by as much.
inline constexpr absl::Duration kMaxMinutesAhead = absl::Minutes(1);

// CloudWatch metrics that the functions emit.
inline constexpr char kMetricsNamespace[] = "Byoshin/Scheduler";
inline constexpr char kFunctionDimension[] = "Function";
inline constexpr char kSenderFunction[] = "Sender";
inline constexpr char kCollectorFunction[] = "Collector";
inline constexpr char kSlotLatenessMetric[] = "SlotLateness";
inline constexpr char kApiLatencyMetric[] = "ApiLatency";
inline constexpr char kStoredMetric[] = "SlotsStored";
inline constexpr char kDuplicateMetric[] = "SlotsDuplicate";
inline constexpr char kFailedMetric[] = "SlotsFailed";
inline constexpr char kSentMetric[] = "MessagesSent";
inline constexpr char kSendFailedMetric[] = "MessagesFailed";

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_CONSTANTS_H_
