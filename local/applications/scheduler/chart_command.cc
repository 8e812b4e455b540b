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
#include "local/applications/scheduler/chart.h"
#include "local/applications/scheduler/commands.h"
#include "local/applications/scheduler/read_records.h"
#include "local/applications/scheduler/series.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/terminal.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {
namespace {

constexpr int kTerminalHeight = 12;
// Two dots a character.
constexpr int kBucketsPerColumn = 2;
constexpr int kPictureBuckets = 1000;

// To the file that `flag` names. That is told on standard error: the file may
// be standard output.
absl::Status WriteFile(const char* flag, const std::string& content,
                       const cli::Arguments& arguments,
                       cli::CommandContext& context) {
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

Glyphs GlyphsFor(const cli::Arguments& arguments,
                 const env::Environment& environment) {
  return arguments.Has("ascii") || !cli::UsesUtf8(environment)
             ? Glyphs::kAscii
             : Glyphs::kBraille;
}

absl::StatusOr<Series> ReadSeries(cli::CloudClient& cloud,
                                  const dashboard::TimeRange& range,
                                  int max_buckets) {
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  // May begin long before the range: one in which nothing was stored is a gap
  // as a whole.
  dashboard::TimeRange expected;
  if (const Json::Value& slots = (*status)["scheduler"]["expected"];
      slots.isObject()) {
    expected = {.from = absl::FromUnixMillis(slots["from"].asInt64()),
                .to = absl::FromUnixMillis(slots["to"].asInt64())};
  }
  SeriesBuilder builder({.range = {.from = range.from, .to = range.to},
                         .max_buckets = max_buckets,
                         .expected = expected});
  const dashboard::TimeRange whole_buckets = builder.range();
  const absl::Status read =
      ForEachRecord(cloud, {.from = whole_buckets.from, .to = whole_buckets.to},
                    [&](const SlotRecord& record) {
                      builder.Add({.slot = record.slot, .count = record.count});
                      return true;
                    });
  if (!read.ok()) return read;
  return std::move(builder).Build();
}

absl::Status Chart(const cli::Arguments& arguments,
                   cli::CommandContext& context) {
  cli::CloudClient cloud = cli::ClientFor(arguments, context);
  const absl::StatusOr<dashboard::TimeRange> range =
      cli::ReadTimeRange(arguments, cloud);
  if (!range.ok()) return range.status();
  const bool picture = arguments.Has("png") || arguments.Has("html");
  const int columns = context.terminal.columns();
  const absl::StatusOr<Series> series = ReadSeries(
      cloud, *range, picture ? kPictureBuckets : kBucketsPerColumn * columns);
  if (!series.ok()) return series.status();
  if (arguments.Has("png")) {
    const absl::StatusOr<std::string> png =
        PngChart(*series, {.title = scheduler::kMetricName});
    if (!png.ok()) return png.status();
    const absl::Status written = WriteFile("png", *png, arguments, context);
    if (!written.ok()) return written;
  }
  if (arguments.Has("html")) {
    const absl::Status written = WriteFile(
        "html", HtmlChart(*series, scheduler::kMetricName), arguments, context);
    if (!written.ok()) return written;
  }
  if (!picture) {
    context.terminal.Print(TerminalChart(
        *series, {.width = columns,
                  .height = kTerminalHeight,
                  .glyphs = GlyphsFor(arguments, context.environment)}));
  }
  return absl::OkStatus();
}

}  // namespace

cli::Command ChartCommand() {
  return {.spec = {.name = "chart",
                   .summary = "draw what was collected",
                   .details = absl::StrCat(
                       "Gaps are slots without a record.\n", cli::kTimeHelp,
                       "Example: byoshin chart --since=24h --png=day.png"),
                   .flags = {cli::SinceFlag(),
                             cli::UntilFlag(),
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
                             cli::EndpointFlag()}},
          .run = Chart};
}

}  // namespace byoshin::local::applications
