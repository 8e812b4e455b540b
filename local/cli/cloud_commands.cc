#include "local/cli/cloud_commands.h"

#include <json/json.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"
#include "local/cli/format.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"
#include "local/dashboard/duration_text.h"

namespace byoshin::local::cli {
namespace {

constexpr std::int64_t kRecordsAtATime = 5000;
constexpr std::int64_t kMaxLogLines = 2000;
constexpr int kMaxDeadLetters = 200;
// How long a look at the log may wait for something to happen.
constexpr absl::Duration kFollowTimeout = absl::Hours(1);

absl::Status Stopped() {
  return absl::CancelledError("nobody reads the output any more");
}

std::string Millis(absl::Time time) {
  return absl::StrCat(absl::ToUnixMillis(time));
}

// The cloud's own time, which may be simulated.
absl::StatusOr<absl::Time> CloudTime(CloudClient& cloud) {
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  return absl::FromUnixMillis((*status)["now"].asInt64());
}

absl::Status PrintRecords(const Arguments& arguments, CommandContext& context) {
  const std::string format = arguments.Get("format");
  if (format != "table" && format != "csv" && format != "json") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--format=", format, " is not one of table, csv and json"));
  }
  CloudClient cloud = ClientFor(arguments, context);
  const absl::StatusOr<TimeRange> range = ReadTimeRange(arguments, cloud);
  if (!range.ok()) return range.status();

  Terminal& terminal = context.terminal;
  std::int64_t printed = 0;
  const auto print = [&](const Record& record) {
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

absl::StatusOr<Json::Value> GetStatus(const Arguments& arguments,
                                      CommandContext& context) {
  return ClientFor(arguments, context).Get("status", {});
}

absl::Status PrintQueues(const Arguments& arguments, CommandContext& context) {
  const absl::StatusOr<Json::Value> status = GetStatus(arguments, context);
  if (!status.ok()) return status.status();
  context.terminal.Print(
      FormatQueues(*status, PaperOf(context.terminal, context.environment)));
  if (!arguments.Has("dead-letters")) return absl::OkStatus();
  const absl::StatusOr<Json::Value> letters =
      ClientFor(arguments, context)
          .Get("dead-letters",
               {{.name = "limit", .value = absl::StrCat(kMaxDeadLetters)}});
  if (!letters.ok()) return letters.status();
  for (const Json::Value& letter : (*letters)["messages"]) {
    context.terminal.Print(
        absl::StrCat("\n", FormatDeadLetter(letter, context.terminal)));
  }
  const std::int64_t left = (*letters)["total"].asInt64() -
                            static_cast<int>((*letters)["messages"].size());
  if (left > 0) {
    context.terminal.Print(absl::StrCat("\nand ", left, " more\n"));
  }
  return absl::OkStatus();
}

absl::Status Redrive(const Arguments& arguments, CommandContext& context) {
  CloudClient cloud = ClientFor(arguments, context);
  std::set<std::string> queues;
  Json::Value all(Json::arrayValue);
  if (const std::string queue = arguments.Word(0); !queue.empty()) {
    queues.insert(queue);
  } else {
    const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
    if (!status.ok()) return status.status();
    all = (*status)["queues"];
    for (const Json::Value& source : all) {
      if (source["deadLetterQueue"].isString()) {
        queues.insert(source["deadLetterQueue"].asString());
      }
    }
  }
  for (const std::string& queue : queues) {
    Json::Value body;
    body["queue"] = queue;
    const absl::StatusOr<Json::Value> moved = cloud.Post("redrive", body);
    if (!moved.ok()) return moved.status();
    context.terminal.Print(absl::StrCat(
        queue, ": ", (*moved)["moved"].asInt64(), " moved back\n"));
  }
  for (const Json::Value& queue : all) {
    const std::int64_t left = queue["visible"].asInt64();
    if (!queue["holdsDeadLetters"].asBool() || left == 0 ||
        queues.contains(queue["name"].asString())) {
      continue;
    }
    context.terminal.Print(
        absl::StrCat(queue["name"].asString(), ": ", left,
                     " left, as there is no queue to move them back to "
                     "(`byoshin queues --dead-letters` shows them)\n"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<http::QueryParameter>> ReadLogFilter(
    const Arguments& arguments, CloudClient& cloud) {
  std::vector<http::QueryParameter> filter;
  if (arguments.Has("function")) {
    std::string name = arguments.Get("function");
    // What does not belong to a function has a log group's name.
    if (!absl::StartsWith(name, "/")) {
      absl::StatusOr<std::string> found = FindFunction(cloud, name);
      if (!found.ok()) return found.status();
      name = *std::move(found);
    }
    filter.push_back({"function", std::move(name)});
  }
  if (arguments.Has("grep")) filter.push_back({"q", arguments.Get("grep")});
  return filter;
}

absl::Status PrintLogs(const Arguments& arguments, CommandContext& context) {
  const absl::StatusOr<std::int64_t> limit =
      ParseCount("lines", arguments.Get("lines"), 1, kMaxLogLines);
  if (!limit.ok()) return limit.status();
  CloudClient cloud = ClientFor(arguments, context);
  const absl::StatusOr<std::vector<http::QueryParameter>> filter =
      ReadLogFilter(arguments, cloud);
  if (!filter.ok()) return filter.status();
  const bool raw = arguments.Has("raw");
  std::vector<http::QueryParameter> query = *filter;
  query.push_back({"limit", absl::StrCat(*limit)});
  std::string cursor;
  while (true) {
    const absl::StatusOr<Json::Value> logs = cloud.Get("logs", query);
    if (!logs.ok()) return logs.status();
    for (const Json::Value& line : (*logs)["lines"]) {
      const bool read = context.terminal.Print(
          raw ? absl::StrCat(line["text"].asString(), "\n")
              : FormatLogLine(line, context.terminal));
      if (!read) return Stopped();
    }
    if (!arguments.Has("follow")) return absl::OkStatus();
    query = *filter;
    query.push_back({"limit", absl::StrCat(kMaxLogLines)});
    query.push_back({"after", absl::StrCat((*logs)["next"].asInt64())});
    if (!(*logs)["lines"].empty()) continue;
    const absl::StatusOr<Json::Value> update = cloud.Get(
        "updates", {{.name = "after", .value = cursor}}, kFollowTimeout);
    if (update.ok()) {
      cursor = (*update)["cursor"].asString();
    } else if (!absl::IsDeadlineExceeded(update.status())) {
      return update.status();
    }
  }
}

absl::Status Tick(const Arguments& arguments, CommandContext& context) {
  Json::Value body(Json::objectValue);
  if (!arguments.Word(0).empty()) body["rule"] = arguments.Word(0);
  const absl::StatusOr<Json::Value> fired =
      ClientFor(arguments, context).Post("tick", body);
  if (!fired.ok()) return fired.status();
  for (const Json::Value& rule : (*fired)["fired"]) {
    context.terminal.Print(absl::StrCat("fired ", rule.asString(), "\n"));
  }
  return absl::OkStatus();
}

absl::Status Reset(const Arguments& arguments, CommandContext& context) {
  if (!arguments.Has("yes")) {
    return absl::InvalidArgumentError(
        "this deletes all records, messages and logs of the local cloud; say "
        "--yes to do it");
  }
  const absl::StatusOr<Json::Value> done =
      ClientFor(arguments, context).Post("reset", Json::objectValue);
  if (!done.ok()) return done.status();
  context.terminal.Print(
      absl::StrCat("deleted ", (*done)["records"].asInt64(), " records and ",
                   (*done)["messages"].asInt64(), " messages\n"));
  return absl::OkStatus();
}

}  // namespace

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

absl::StatusOr<TimeRange> ReadTimeRange(const Arguments& arguments,
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
  return TimeRange{.from = *from, .to = *to};
}

absl::Status ForEachRecord(CloudClient& cloud, const TimeRange& range,
                           const std::function<bool(const Record&)>& visit) {
  std::string from = Millis(range.from);
  while (true) {
    const absl::StatusOr<Json::Value> page = cloud.Get(
        "records", {{.name = "from", .value = from},
                    {.name = "to", .value = Millis(range.to)},
                    {.name = "limit", .value = absl::StrCat(kRecordsAtATime)}});
    if (!page.ok()) return page.status();
    for (const Json::Value& json : (*page)["records"]) {
      Record record{.slot = absl::FromUnixMillis(json["slot"].asInt64()),
                    .count = json["count"].asInt64()};
      if (const Json::Value& lateness = json["lateness"];
          lateness.isNumeric()) {
        record.lateness = absl::Milliseconds(lateness.asDouble());
      }
      if (!visit(record)) return Stopped();
    }
    if (!(*page)["next"].isNumeric()) return absl::OkStatus();
    from = absl::StrCat((*page)["next"].asInt64());
  }
}

Command RecordsCommand() {
  return {
      .spec = {.name = "records",
               .summary = "print what was collected",
               .details = absl::StrCat(
                   "A slot without a record is not in the list.\n", kTimeHelp,
                   "Example: byoshin records --since=24h "
                   "--format=csv > day.csv"),
               .flags = {SinceFlag(),
                         UntilFlag(),
                         {.name = "format",
                          .value = "FORMAT",
                          .help = "table, csv or json",
                          .default_value = "table"},
                         EndpointFlag()}},
      .run = PrintRecords};
}

Command StatusCommand() {
  return {.spec = {.name = "status",
                   .summary = "print records, queues and functions in short",
                   .flags = {EndpointFlag()}},
          .run = [](const Arguments& arguments, CommandContext& context) {
            const absl::StatusOr<Json::Value> status =
                GetStatus(arguments, context);
            if (!status.ok()) return status.status();
            context.terminal.Print(FormatStatus(
                *status, PaperOf(context.terminal, context.environment)));
            return absl::OkStatus();
          }};
}

Command QueuesCommand() {
  return {.spec = {.name = "queues",
                   .summary = "print the queues and how full they are",
                   .flags = {{.name = "dead-letters",
                              .help = "print the dead letters, too"},
                             EndpointFlag()}},
          .run = PrintQueues};
}

Command RedriveCommand() {
  return {.spec = {.name = "redrive",
                   .summary = "move dead letters back to where they came from",
                   .words = {{.name = "QUEUE",
                              .help = "a dead-letter queue; without it, all",
                              .required = false}},
                   .flags = {EndpointFlag()}},
          .run = Redrive};
}

Command LogsCommand() {
  return {
      .spec = {.name = "logs",
               .summary = "print what the functions log",
               .details = "A REST API's access log is there under the name of "
                          "its log group.\n"
                          "Example: byoshin logs -f --function=collector "
                          "--grep=error",
               .flags = {{.name = "follow",
                          .help = "go on with what comes",
                          .letter = 'f'},
                         {.name = "function",
                          .value = "NAME",
                          .help = "of this function only; a part of "
                                  "its name will do"},
                         {.name = "grep",
                          .value = "TEXT",
                          .help = "lines with this text only"},
                         {.name = "raw",
                          .help = "lines as they were printed, without "
                                  "time and function"},
                         {.name = "lines",
                          .value = "N",
                          .help = "how many, up to 2000",
                          .default_value = "100",
                          .letter = 'n'},
                         EndpointFlag()}},
      .run = PrintLogs};
}

Command TickCommand() {
  return {.spec = {.name = "tick",
                   .summary = "fire the schedule now, as if its time had come",
                   .words = {{.name = "RULE",
                              .help = "name of a rule; without it, all",
                              .required = false}},
                   .flags = {EndpointFlag()}},
          .run = Tick};
}

Command ResetCommand() {
  return {.spec = {.name = "reset",
                   .summary = "delete all records, messages and logs",
                   .flags = {{.name = "yes", .help = "do it"}, EndpointFlag()}},
          .run = Reset};
}

}  // namespace byoshin::local::cli
