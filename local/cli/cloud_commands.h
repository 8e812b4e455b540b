// The commands that ask a running cloud: records, status, queues, redrive,
// logs, tick, reset, invoke.
#ifndef BYOSHIN_LOCAL_CLI_CLOUD_COMMANDS_H_
#define BYOSHIN_LOCAL_CLI_CLOUD_COMMANDS_H_

#include <json/forwards.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

Command RecordsCommand();
Command StatusCommand();
Command QueuesCommand();
Command RedriveCommand();
Command LogsCommand();
Command TickCommand();
Command ResetCommand();
Command InvokeCommand();

// --endpoint, which all of them take.
FlagSpec EndpointFlag();
CloudClient ClientFor(const Arguments& arguments, CommandContext& context);

// The function with this name or, if there is only one such, with this in its
// name: those in templates have long ones. NotFound lists what there is.
absl::StatusOr<std::string> FindFunction(CloudClient& cloud,
                                         const std::string& wanted);

// --since and --until, read against the cloud's time: what records and charts
// are about.
inline constexpr char kTimeHelp[] =
    "TIME is an instant, such as 2026-01-31T09:00:00Z, or a span before now:\n"
    "90s, 5m, 24h, 7d.\n";
struct TimeRange {
  absl::Time from;
  absl::Time to;
};
FlagSpec SinceFlag();
FlagSpec UntilFlag();
absl::StatusOr<TimeRange> ReadTimeRange(const Arguments& arguments,
                                        CloudClient& cloud);

// Calls `visit` with each record of the range, in order, until it returns
// false.
struct Record {
  absl::Time slot;
  std::int64_t count;
  // Where the cloud knows it.
  std::optional<absl::Duration> lateness{};
};
absl::Status ForEachRecord(CloudClient& cloud, const TimeRange& range,
                           const std::function<bool(const Record&)>& visit);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_CLOUD_COMMANDS_H_
