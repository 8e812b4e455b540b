// The flags that commands have in common that ask a running cloud, and what
// they say.
#ifndef BYOSHIN_LOCAL_CLI_CLOUD_FLAGS_H_
#define BYOSHIN_LOCAL_CLI_CLOUD_FLAGS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/command.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::cli {

// --endpoint, which all of them take.
FlagSpec EndpointFlag();
CloudClient ClientFor(const Arguments& arguments, CommandContext& context);

// Of `up`: a PostgreSQL server of the user's own.
inline constexpr char kPostgresFlag[] = "postgres";

// --since and --until, read against the cloud's time, which may be simulated.
inline constexpr char kTimeHelp[] =
    "TIME is an instant, such as 2026-01-31T09:00:00Z, or a span before now:\n"
    "90s, 5m, 24h, 7d.\n";
FlagSpec SinceFlag();
FlagSpec UntilFlag();
absl::StatusOr<dashboard::TimeRange> ReadTimeRange(const Arguments& arguments,
                                                   CloudClient& cloud);

// For a command whose output is not read any more, as when it is piped into
// `head`.
absl::Status NotRead();

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_CLOUD_FLAGS_H_
