// What the functions were measured to take, and what has to be assumed about
// AWS. Only the cost estimate depends on these.
#ifndef BYOSHIN_INFRA_GEN_COST_MEASUREMENTS_H_
#define BYOSHIN_INFRA_GEN_COST_MEASUREMENTS_H_

#include "absl/time/time.h"

namespace byoshin::infra::cost {

// What one invocation takes.
struct Measurement {
  absl::Duration cpu;      // processor time of the process
  int log_lines = 0;       // lines that it writes
  int log_bytes = 0;       // and their length
  absl::Duration waiting;  // assumed: for other services, within the region
};

// Processor time and log lines are means over 1000 warm invocations of the
// zipped binaries under a Runtime API on one machine (x86-64, November 2026),
// with services on the same machine and without TLS. `waiting` can't be
// measured without AWS: round trips in a region take single milliseconds, a new
// TLS connection some tens. The Sender connects anew every minute; the
// Collector's connections stay open; the mock API waits for nobody. Durations
// matter little: even ten times longer they cost less than the requests do.
inline constexpr Measurement kSenderMeasurement = {
    absl::Microseconds(1270), 13, 3575, absl::Milliseconds(60)};
inline constexpr Measurement kCollectorMeasurement = {
    absl::Microseconds(980), 2, 860, absl::Milliseconds(30)};
inline constexpr Measurement kMockApiMeasurement = {absl::Microseconds(560), 1,
                                                    190, absl::ZeroDuration()};

// Lambda gives a function a whole processor at this much memory, and less in
// proportion.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
inline constexpr int kMemoryOfOneProcessorMb = 1769;

// Assumed: the start and report lines of Lambda itself, a line of API Gateway's
// access log, and what CloudWatch adds to each line.
inline constexpr int kPlatformLogLines = 2;
inline constexpr int kPlatformLogBytes = 750;
inline constexpr int kAccessLogBytes = 400;
inline constexpr int kLogOverheadBytes = 26;

// An event source mapping keeps this many requests for messages open, each for
// up to 20 seconds; they end when a message comes.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
inline constexpr int kPollers = 5;
inline constexpr absl::Duration kLongPoll = absl::Seconds(20);

// DynamoDB stores this much with each item, and asks for its key this often.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
inline constexpr int kItemOverheadBytes = 100;
inline constexpr absl::Duration kKeyLifetime = absl::Minutes(5);

}  // namespace byoshin::infra::cost

#endif  // BYOSHIN_INFRA_GEN_COST_MEASUREMENTS_H_
