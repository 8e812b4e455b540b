// The numbers and names of a deployment. Those that the functions use are in
// core/scheduler/constants.h, core/scheduler/slot.h and
// core/generation/constants.h.
#ifndef BYOSHIN_INFRA_CONSTANTS_H_
#define BYOSHIN_INFRA_CONSTANTS_H_

#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::infra {

// Every minute. EventBridge fires at any second of it; the functions use the
// event's time.
inline constexpr char kSchedule[] = "cron(* * * * ? *)";

// Lambda's minimum; see docs/operations.md for the actual use.
inline constexpr int kFunctionMemoryMb = 128;

// Queues. A message that fails goes to the dead-letter queue within minutes, so
// a message that stays in the scheduling queue for a day means that the
// Collector does not run. Dead letters are kept for SQS's maximum, counted from
// when they were first sent.
inline constexpr absl::Duration kSchedulingRetention = absl::Hours(24);
inline constexpr absl::Duration kDeadLetterRetention = absl::Hours(14 * 24);

// The Sender's asynchronous invocations, and the rule's attempts to make them.
// A minute's windows can still be collected an hour later; the age limits the
// attempts (185 is EventBridge's maximum, 2 is Lambda's).
inline constexpr absl::Duration kMaxEventAge = absl::Hours(1);
inline constexpr int kRuleRetryAttempts = 185;
inline constexpr int kSenderRetryAttempts = 2;

// The number of concurrent Collectors after an outage, when many messages are
// waiting: enough to catch up an hour in seconds, but not to overload the API.
// Reserved concurrency must not be less.
inline constexpr int kCollectorMaxConcurrency = 10;

// The mock API, in requests a second. Steady use is one every five seconds.
inline constexpr char kMockApiName[] = "AI Employee Mock API";
inline constexpr char kMockApiStage[] = "prod";
inline constexpr int kMockApiRateLimit = 50;
inline constexpr int kMockApiBurstLimit = 25;

inline constexpr int kDefaultLogRetentionDays = 30;

// Alarms on events that may happen once are raised if they happen in this many
// of so many minutes.
inline constexpr absl::Duration kAlarmPeriod = absl::Minutes(1);
inline constexpr int kAlarmPeriods = 5;
inline constexpr int kAlarmBadPeriods = 3;

// Longer than a message's greatest delay and one retry together.
inline constexpr absl::Duration kOldestMessageAlarm = absl::Minutes(5);

// The latency targets.
inline constexpr absl::Duration kSenderDurationAlarm = absl::Seconds(2);
inline constexpr absl::Duration kCollectorDurationAlarm = absl::Seconds(3);
inline constexpr absl::Duration kMockApiDurationAlarm = absl::Seconds(1);

// Fewer slots than this in a period mean that some were missed. EventBridge may
// fire up to a minute later in one minute than in another, which moves a
// minute's slots from one period to the next.
inline constexpr absl::Duration kMissedSlotsPeriod = absl::Minutes(15);
inline constexpr int kMissedSlotsTolerance =
    byoshin::scheduler::kSlotsPerMinute;

// Generation. Requests a second of all users together: a page asks for the
// status once a second or so.
inline constexpr char kGenerationApiName[] = "AI Generation API";
inline constexpr int kGenerationRateLimit = 100;
inline constexpr int kGenerationBurstLimit = 100;
// Aurora PostgreSQL. Zero lets the database pause, for lack of use.
inline constexpr char kPostgresVersion[] = "16.8";
inline constexpr double kDefaultMinCapacity = 0.5;
inline constexpr int kDefaultMaxCapacity = 4;
inline constexpr int kBackupRetentionDays = 7;
inline constexpr int kMinPasswordLength = 12;
inline constexpr absl::Duration kTokenValidity = absl::Hours(1);
// The workflow's updates outlast a failover of the database: with the waits
// below, two and a half minutes.
inline constexpr int kUpdateAttempts = 9;
inline constexpr absl::Duration kUpdateMaxDelay = absl::Seconds(30);
// While all workers are busy, the others try again until the workflow times
// out.
inline constexpr absl::Duration kBusyInterval = absl::Seconds(2);
inline constexpr double kBusyBackoffRate = 1.5;
inline constexpr absl::Duration kBusyMaxDelay = absl::Seconds(20);
inline constexpr int kBusyAttempts = 100;
inline constexpr absl::Duration kMigrationTimeout = absl::Minutes(5);
inline constexpr absl::Duration kMaintenanceTimeout = absl::Minutes(1);
inline constexpr int kMaintenanceMemoryMb = 256;
// Alarms: percentages of the processes that ended in a period, and the length
// of the queue.
inline constexpr absl::Duration kGenerationAlarmPeriod = absl::Minutes(5);
inline constexpr int kErrorRateAlarm = 5;
inline constexpr int kTimeoutRateAlarm = 10;
inline constexpr absl::Duration kProcessingAlarm = absl::Minutes(5);
inline constexpr int kQueueDepthAlarm = 100;

// Mesh v2. The deepest selection of a client is an event of a batch; every
// field has one resolver.
inline constexpr char kFieldLogLevel[] = "ERROR";
inline constexpr int kQueryDepthLimit = 15;
inline constexpr int kResolverCountLimit = 50;
// Pages of up to 1 MB that listGroupStatuses reads.
inline constexpr int kMaxStatusPages = 4;
inline constexpr absl::Duration kMeshLatencyAlarm = absl::Seconds(1);

// Tags of every resource.
inline constexpr char kApplicationTag[] = "Application";
inline constexpr char kApplication[] = "byoshin";
inline constexpr char kComponentTag[] = "Component";

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_CONSTANTS_H_
