#include "local/cli/cloud_flags.h"

#include <json/json.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/command.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::cli {
namespace {

// The cloud's own time, which may be simulated.
absl::StatusOr<absl::Time> CloudTime(CloudClient& cloud) {
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  return absl::FromUnixMillis((*status)["now"].asInt64());
}

}  // namespace

absl::Status NotRead() {
  return absl::CancelledError("the output is not read any more");
}

FlagSpec EndpointFlag() {
  return {.name = "endpoint",
          .value = "URL",
          .help = "where the local cloud is",
          .default_value = kDefaultEndpoint};
}

FlagSpec SinceFlag() {
  return {.name = "since",
          .value = "TIME",
          .help = "from this instant on, or this long ago",
          .default_value = "1h"};
}

FlagSpec UntilFlag() {
  return {.name = "until",
          .value = "TIME",
          .help = "up to this instant, or this long ago",
          .default_value = "now"};
}

CloudClient ClientFor(const Arguments& arguments, CommandContext& context) {
  return CloudClient(context.http_client, arguments.Get("endpoint"));
}

absl::StatusOr<dashboard::TimeRange> ReadTimeRange(const Arguments& arguments,
                                                   CloudClient& cloud) {
  const absl::StatusOr<absl::Time> now = CloudTime(cloud);
  if (!now.ok()) return now.status();
  const absl::StatusOr<absl::Time> from =
      ParseWhen("since", arguments.Get("since"), *now);
  if (!from.ok()) return from.status();
  const absl::StatusOr<absl::Time> to =
      ParseWhen("until", arguments.Get("until"), *now);
  if (!to.ok()) return to.status();
  if (*from >= *to) {
    return absl::InvalidArgumentError("--since is not before --until");
  }
  return dashboard::TimeRange{.from = *from, .to = *to};
}

}  // namespace byoshin::local::cli
