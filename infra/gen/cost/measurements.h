// Measurements of the functions, and assumptions about AWS, for the cost
// estimate.
#ifndef BYOSHIN_INFRA_GEN_COST_MEASUREMENTS_H_
#define BYOSHIN_INFRA_GEN_COST_MEASUREMENTS_H_

#include "absl/time/time.h"

namespace byoshin::infra::cost {

// The cost factors of an invocation.
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
// Collector's connections stay open; the mock API does not wait. Durations
// matter little: even ten times longer they cost less than the requests do.
inline constexpr Measurement kSenderMeasurement = {
    absl::Microseconds(1270), 13, 3575, absl::Milliseconds(60)};
inline constexpr Measurement kCollectorMeasurement = {
    absl::Microseconds(980), 2, 860, absl::Milliseconds(30)};
inline constexpr Measurement kMockApiMeasurement = {absl::Microseconds(560), 1,
                                                    190, absl::ZeroDuration()};

// Lambda gives a function one whole processor at this memory size, and
// proportionally less below.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
inline constexpr int kMemoryOfOneProcessorMb = 1769;

// Assumed: Lambda's own start and report lines, a line of API Gateway's access
// log, and CloudWatch's overhead per line.
inline constexpr int kPlatformLogLines = 2;
inline constexpr int kPlatformLogBytes = 750;
inline constexpr int kAccessLogBytes = 400;
inline constexpr int kLogOverheadBytes = 26;

// An event source mapping keeps this many requests for messages open, each for
// up to 20 seconds; they end when a message comes.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
inline constexpr int kPollers = 5;
inline constexpr absl::Duration kLongPoll = absl::Seconds(20);

// DynamoDB's overhead for each item, and how often it uses its key.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
inline constexpr int kItemOverheadBytes = 100;
inline constexpr absl::Duration kKeyLifetime = absl::Minutes(5);

}  // namespace byoshin::infra::cost

#endif  // BYOSHIN_INFRA_GEN_COST_MEASUREMENTS_H_
