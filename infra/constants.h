// The numbers and names that only a deployment needs. What the functions
// themselves use is in core/scheduler/constants.h and core/scheduler/slot.h.
#ifndef BYOSHIN_INFRA_CONSTANTS_H_
#define BYOSHIN_INFRA_CONSTANTS_H_

#include "absl/time/time.h"
#include "core/scheduler/slot.h"

namespace byoshin::infra {

// Every minute. EventBridge fires at any second of it; the functions go by the
// event's time.
inline constexpr char kSchedule[] = "cron(* * * * ? *)";

// The least that Lambda offers; see docs/operations.md for what is used of it.
inline constexpr int kFunctionMemoryMb = 128;

// Queues. A message that fails is dead-lettered within minutes, so what is in
// the scheduling queue for a day is there because nobody collects; dead letters
// are kept for as long as SQS can, counted from when they were first sent.
inline constexpr absl::Duration kSchedulingRetention = absl::Hours(24);
inline constexpr absl::Duration kDeadLetterRetention = absl::Hours(14 * 24);

// The Sender's asynchronous invocations, and the rule's attempts to make them.
// A minute's windows can still be collected an hour later; the age is what ends
// the attempts (185 is EventBridge's maximum, 2 is Lambda's).
inline constexpr absl::Duration kMaxEventAge = absl::Hours(1);
inline constexpr int kRuleRetryAttempts = 185;
inline constexpr int kSenderRetryAttempts = 2;

// How many Collectors work at once after an outage, when many messages wait:
// enough to catch up an hour in seconds, few enough to spare the API. A
// reservation of concurrency must not be less.
inline constexpr int kCollectorMaxConcurrency = 10;

// The mock API, in requests a second. Steady use is one every five seconds.
inline constexpr char kMockApiName[] = "AI Employee Mock API";
inline constexpr char kMockApiStage[] = "prod";
inline constexpr int kMockApiRateLimit = 50;
inline constexpr int kMockApiBurstLimit = 25;

inline constexpr int kDefaultLogRetentionDays = 30;

// Alarms on something that may happen once go off if it happens in so many of
// so many minutes.
inline constexpr absl::Duration kAlarmPeriod = absl::Minutes(1);
inline constexpr int kAlarmPeriods = 5;
inline constexpr int kAlarmBadPeriods = 3;

// Longer than a message's greatest delay and one retry together.
inline constexpr absl::Duration kOldestMessageAlarm = absl::Minutes(5);

// The latencies that the system is to stay below.
inline constexpr absl::Duration kSenderDurationAlarm = absl::Seconds(2);
inline constexpr absl::Duration kCollectorDurationAlarm = absl::Seconds(3);
inline constexpr absl::Duration kMockApiDurationAlarm = absl::Seconds(1);

// Fewer slots than this in a period have been missed. EventBridge may fire up
// to a minute later in one minute than in another, which moves a minute's slots
// from one period to the next.
inline constexpr absl::Duration kMissedSlotsPeriod = absl::Minutes(15);
inline constexpr int kMissedSlotsTolerance =
    byoshin::scheduler::kSlotsPerMinute;

// Tags of every resource.
inline constexpr char kApplicationTag[] = "Application";
inline constexpr char kApplication[] = "byoshin";
inline constexpr char kComponentTag[] = "Component";

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_CONSTANTS_H_
