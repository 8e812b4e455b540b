#include "local/cli/chart_command.h"

#include <json/json.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ios>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "core/scheduler/constants.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/terminal.h"
#include "local/dashboard/chart.h"
#include "local/dashboard/series.h"

namespace byoshin::local::cli {
namespace {

constexpr int kTerminalHeight = 12;
// Two dots a character.
constexpr int kBucketsPerColumn = 2;
constexpr int kPictureBuckets = 1000;

// To the file that `flag` names. That is told on standard error: the file may
// be standard output.
absl::Status WriteFile(const char* flag, const std::string& content,
                       const Arguments& arguments, CommandContext& context) {
  const std::string path =
      env::FromWorkingDirectory(arguments.Get(flag), context.environment);
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) {
    return absl::UnavailableError(
        absl::StrCat("cannot write ", path, ": ", std::strerror(errno)));
  }
  context.terminal.Note(
      absl::StrCat("wrote ", path, " (", content.size(), " bytes)\n"));
  return absl::OkStatus();
}

dashboard::Glyphs GlyphsFor(const Arguments& arguments,
                            const env::Environment& environment) {
  return arguments.Has("ascii") || !UsesUtf8(environment)
             ? dashboard::Glyphs::kAscii
             : dashboard::Glyphs::kBraille;
}

absl::StatusOr<dashboard::Series> ReadSeries(CloudClient& cloud,
                                             const TimeRange& range,
                                             int max_buckets) {
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  // May begin long before the range: one in which nothing was stored is a gap
  // as a whole.
  dashboard::TimeRange expected;
  if (const Json::Value& slots = (*status)["expected"]; slots.isObject()) {
    expected = {.from = absl::FromUnixMillis(slots["from"].asInt64()),
                .to = absl::FromUnixMillis(slots["to"].asInt64())};
  }
  dashboard::SeriesBuilder builder(
      {.range = {.from = range.from, .to = range.to},
       .max_buckets = max_buckets,
       .expected = expected});
  const dashboard::TimeRange whole_buckets = builder.range();
  const absl::Status read =
      ForEachRecord(cloud, {.from = whole_buckets.from, .to = whole_buckets.to},
                    [&](const Record& record) {
                      builder.Add(dashboard::SlotRecord{.slot = record.slot,
                                                        .count = record.count});
                      return true;
                    });
  if (!read.ok()) return read;
  return std::move(builder).Build();
}

absl::Status Chart(const Arguments& arguments, CommandContext& context) {
  CloudClient cloud = ClientFor(arguments, context);
  const absl::StatusOr<TimeRange> range = ReadTimeRange(arguments, cloud);
  if (!range.ok()) return range.status();
  const bool picture = arguments.Has("png") || arguments.Has("html");
  const int columns = context.terminal.columns();
  const absl::StatusOr<dashboard::Series> series = ReadSeries(
      cloud, *range, picture ? kPictureBuckets : kBucketsPerColumn * columns);
  if (!series.ok()) return series.status();
  if (arguments.Has("png")) {
    const absl::StatusOr<std::string> png =
        dashboard::PngChart(*series, {.title = scheduler::kMetricName});
    if (!png.ok()) return png.status();
    const absl::Status written = WriteFile("png", *png, arguments, context);
    if (!written.ok()) return written;
  }
  if (arguments.Has("html")) {
    const absl::Status written =
        WriteFile("html", dashboard::HtmlChart(*series, scheduler::kMetricName),
                  arguments, context);
    if (!written.ok()) return written;
  }
  if (!picture) {
    context.terminal.Print(dashboard::TerminalChart(
        *series, {.width = columns,
                  .height = kTerminalHeight,
                  .glyphs = GlyphsFor(arguments, context.environment)}));
  }
  return absl::OkStatus();
}

}  // namespace

Command ChartCommand() {
  return {.spec = {.name = "chart",
                   .summary = "draw what was collected",
                   .details = absl::StrCat(
                       "Gaps are slots without a record.\n", kTimeHelp,
                       "Example: byoshin chart --since=24h --png=day.png"),
                   .flags = {SinceFlag(),
                             UntilFlag(),
                             {.name = "png",
                              .value = "FILE",
                              .help = "as a picture, into this file"},
                             {.name = "html",
                              .value = "FILE",
                              .help = "as a page that needs no other file"},
                             {.name = "ascii",
                              .help = "draw with ASCII characters, as is "
                                      "done anyway if the locale is not "
                                      "UTF-8"},
                             EndpointFlag()}},
          .run = Chart};
}

}  // namespace byoshin::local::cli
