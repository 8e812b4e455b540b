#include "local/applications/scheduler/read_records.h"

#include <json/json.h>

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_flags.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

constexpr std::int64_t kRecordsAtATime = 5000;

std::string Millis(absl::Time time) {
  return absl::StrCat(absl::ToUnixMillis(time));
}

}  // namespace

absl::Status ForEachRecord(cli::CloudClient& cloud,
                           const dashboard::TimeRange& range,
                           absl::FunctionRef<bool(const SlotRecord&)> visit) {
  std::string from = Millis(range.from);
  while (true) {
    const absl::StatusOr<Json::Value> page =
        cloud.Get("scheduler/records",
                  {{.name = "from", .value = from},
                   {.name = "to", .value = Millis(range.to)},
                   {.name = "limit", .value = absl::StrCat(kRecordsAtATime)}});
    if (!page.ok()) return page.status();
    for (const Json::Value& json : (*page)["records"]) {
      SlotRecord record{.slot = absl::FromUnixMillis(json["slot"].asInt64()),
                        .count = json["count"].asInt64()};
      if (const Json::Value& lateness = json["lateness"];
          lateness.isNumeric()) {
        record.lateness = absl::Milliseconds(lateness.asDouble());
      }
      if (!visit(record)) return cli::NotRead();
    }
    if (!(*page)["next"].isNumeric()) return absl::OkStatus();
    from = absl::StrCat((*page)["next"].asInt64());
  }
}

}  // namespace byoshin::local::applications
