#include "local/applications/scheduler/commands.h"

#include <json/json.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/time/iso8601.h"
#include "local/applications/scheduler/read_records.h"
#include "local/applications/scheduler/series.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/terminal.h"
#include "local/dashboard/duration_text.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

absl::Status PrintRecords(const cli::Arguments& arguments,
                          cli::CommandContext& context) {
  const std::string format = arguments.Get("format");
  if (format != "table" && format != "csv" && format != "json") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--format=", format, " is not one of table, csv and json"));
  }
  cli::CloudClient cloud = cli::ClientFor(arguments, context);
  const absl::StatusOr<dashboard::TimeRange> range =
      cli::ReadTimeRange(arguments, cloud);
  if (!range.ok()) return range.status();

  cli::Terminal& terminal = context.terminal;
  std::int64_t printed = 0;
  const auto print = [&](const SlotRecord& record) {
    const std::string slot = time::FormatIso8601(record.slot);
    ++printed;
    if (format == "csv") {
      return terminal.Print(absl::StrCat(slot, ",", record.count, "\n"));
    }
    if (format == "json") {
      return terminal.Print(absl::StrCat(printed == 1 ? "[" : ",\n ",
                                         "{\"slotTime\":\"", slot,
                                         "\",\"count\":", record.count, "}"));
    }
    return terminal.Print(absl::StrFormat(
        "%s  %5d  %s\n", slot, record.count,
        record.lateness ? dashboard::DurationText(*record.lateness) : "-"));
  };
  if (format == "csv") terminal.Print("slotTime,count\n");
  if (format == "table") {
    terminal.Print("SLOT                  COUNT  LATENESS\n");
  }
  const absl::Status status = ForEachRecord(cloud, *range, print);
  if (!status.ok()) return status;
  if (format == "json") terminal.Print(printed == 0 ? "[]\n" : "]\n");
  return absl::OkStatus();
}

absl::Status Tick(const cli::Arguments& arguments,
                  cli::CommandContext& context) {
  Json::Value body(Json::objectValue);
  if (!arguments.Word(0).empty()) body["rule"] = arguments.Word(0);
  const absl::StatusOr<Json::Value> fired =
      cli::ClientFor(arguments, context).Post("tick", body);
  if (!fired.ok()) return fired.status();
  for (const Json::Value& rule : (*fired)["fired"]) {
    context.terminal.Print(absl::StrCat("fired ", rule.asString(), "\n"));
  }
  return absl::OkStatus();
}

}  // namespace

cli::Command RecordsCommand() {
  return {.spec = {.name = "records",
                   .summary = "print what was collected",
                   .details = absl::StrCat(
                       "A slot without a record is not in the list.\n",
                       cli::kTimeHelp,
                       "Example: byoshin records --since=24h "
                       "--format=csv > day.csv"),
                   .flags = {cli::SinceFlag(),
                             cli::UntilFlag(),
                             {.name = "format",
                              .value = "FORMAT",
                              .help = "table, csv or json",
                              .default_value = "table"},
                             cli::EndpointFlag()}},
          .run = PrintRecords};
}

cli::Command TickCommand() {
  return {.spec = {.name = "tick",
                   .summary = "fire the schedule now, as if its time had come",
                   .words = {{.name = "RULE",
                              .help = "name of a rule; without it, all",
                              .required = false}},
                   .flags = {cli::EndpointFlag()}},
          .run = Tick};
}

}  // namespace byoshin::local::applications
