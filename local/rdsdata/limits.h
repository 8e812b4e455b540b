// Limits of the Data API.
// https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/data-api.limitations.html
#ifndef BYOSHIN_LOCAL_RDSDATA_LIMITS_H_
#define BYOSHIN_LOCAL_RDSDATA_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace byoshin::local::rdsdata {

// A request, with its headers.
inline constexpr std::size_t kMaxRequestBytes = std::size_t{4} << 20;
// The values of a result, as PostgreSQL prints them.
inline constexpr std::int64_t kMaxResultBytes = std::int64_t{1} << 20;
inline constexpr std::int64_t kMaxRowBytes = std::int64_t{64} << 10;
// A result as JSON.
inline constexpr std::size_t kMaxFormattedBytes = std::size_t{10} << 20;
inline constexpr std::size_t kMaxSqlBytes = 65536;
// Of a database's name. ARNs have no limit: the documented one, 100, is less
// than the ARN of a secret that RDS manages has.
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::size_t kMaxTransactionIdBytes = 192;

inline constexpr absl::Duration kStatementTimeout = absl::Seconds(45);
inline constexpr absl::Duration kTransactionIdleTimeout = absl::Minutes(3);
inline constexpr absl::Duration kTransactionTimeout = absl::Hours(24);

// Not an AWS limit: what this process keeps of a result that is too large
// anyway, with the protocol's overhead.
inline constexpr std::int64_t kMaxReceivedBytes = std::int64_t{16} << 20;
// Not an AWS limit: connections to a cluster at the same time. The cloud's
// servers allow 100.
inline constexpr int kMaxConnections = 64;
// How long a call waits for a connection while all are in use. AWS does not
// document its limit. This is less than the 29 seconds that API Gateway gives a
// function, so that the function can still report the error.
inline constexpr absl::Duration kConnectionWait = absl::Seconds(20);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_LIMITS_H_
