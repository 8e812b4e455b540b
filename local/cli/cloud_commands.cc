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
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/format.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {
namespace {

constexpr std::int64_t kMaxLogLines = 2000;
constexpr int kMaxDeadLetters = 200;
// How long a look at the log may wait for something to happen.
constexpr absl::Duration kFollowTimeout = absl::Hours(1);

absl::StatusOr<Json::Value> GetStatus(const Arguments& arguments,
                                      CommandContext& context) {
  return ClientFor(arguments, context).Get("status", {});
}

absl::Status PrintStatus(
    const std::vector<applications::Application>& applications,
    const Arguments& arguments, CommandContext& context) {
  const absl::StatusOr<Json::Value> status = GetStatus(arguments, context);
  if (!status.ok()) return status.status();
  std::string lines;
  for (const applications::Application& application : applications) {
    if (!application.format_status || !status->isMember(application.name)) {
      continue;
    }
    absl::StrAppend(&lines,
                    application.format_status((*status)[application.name]));
  }
  context.terminal.Print(FormatStatus(
      *status, lines, PaperOf(context.terminal, context.environment)));
  return absl::OkStatus();
}

// What the panels tell is there under their names.
absl::Status PrintJsonStatus(const Arguments& arguments,
                             CommandContext& context) {
  CloudClient cloud = ClientFor(arguments, context);
  absl::StatusOr<Json::Value> document = cloud.Get("stacks", {});
  if (!document.ok()) return document.status();
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  (*document)["endpoint"] = cloud.endpoint();
  (*document)["now"] = (*status)["now"];
  (*document)["deadLetters"] = (*status)["deadLetters"];
  for (const Json::Value& panel : (*status)["panels"]) {
    (*document)[panel.asString()] = (*status)[panel.asString()];
  }
  context.terminal.Print(document->toStyledString());
  return absl::OkStatus();
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

// A dead-letter queue, by its stack and its name.
using DeadLetterQueue = std::pair<std::string, std::string>;

absl::Status Redrive(const Arguments& arguments, CommandContext& context) {
  CloudClient cloud = ClientFor(arguments, context);
  std::set<DeadLetterQueue> queues;
  Json::Value all(Json::arrayValue);
  if (const std::string queue = arguments.Word(0); !queue.empty()) {
    queues.emplace(arguments.Get("stack"), queue);
  } else {
    const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
    if (!status.ok()) return status.status();
    for (const Json::Value& source : (*status)["queues"]) {
      if (arguments.Has("stack") &&
          source["stack"].asString() != arguments.Get("stack")) {
        continue;
      }
      all.append(source);
      if (source["deadLetterQueue"].isString()) {
        queues.emplace(source["stack"].asString(),
                       source["deadLetterQueue"].asString());
      }
    }
  }
  for (const auto& [stack, queue] : queues) {
    Json::Value body;
    if (!stack.empty()) body["stack"] = stack;
    body["queue"] = queue;
    const absl::StatusOr<Json::Value> moved = cloud.Post("redrive", body);
    if (!moved.ok()) return moved.status();
    context.terminal.Print(absl::StrCat(
        queue, ": ", (*moved)["moved"].asInt64(), " moved back\n"));
  }
  for (const Json::Value& queue : all) {
    const std::int64_t left = queue["visible"].asInt64();
    if (!queue["holdsDeadLetters"].asBool() || left == 0 ||
        queues.contains(
            {queue["stack"].asString(), queue["name"].asString()})) {
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
      if (!read) return NotRead();
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

absl::Status Reset(const Arguments& arguments, CommandContext& context) {
  if (!arguments.Has("yes")) {
    return absl::InvalidArgumentError(
        "this deletes all messages and logs of the local cloud, and what its "
        "applications have stored; say --yes to do it");
  }
  const absl::StatusOr<Json::Value> done =
      ClientFor(arguments, context).Post("reset", Json::objectValue);
  if (!done.ok()) return done.status();
  context.terminal.Print(
      absl::StrCat("deleted ", (*done)["items"].asInt64(), " records and ",
                   (*done)["messages"].asInt64(), " messages\n"));
  return absl::OkStatus();
}

}  // namespace

Command StatusCommand(
    const std::vector<applications::Application>& applications) {
  return {
      .spec = {.name = "status",
               .summary = "print stacks, queues and functions in short",
               .details =
                   "With --json it prints what a script needs: the stacks with "
                   "their outputs, the\naddresses of their APIs, API keys, "
                   "queues, functions and tables.\n"
                   "Example: byoshin status --json | jq -r "
                   "'.stacks[].restApis[].url'",
               .flags = {{.name = "json", .help = "as a JSON document"},
                         EndpointFlag()}},
      .run = [applications](const Arguments& arguments,
                            CommandContext& context) {
        return arguments.Has("json")
                   ? PrintJsonStatus(arguments, context)
                   : PrintStatus(applications, arguments, context);
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
                   .flags = {{.name = "stack",
                              .value = "NAME",
                              .help = "of this CloudFormation stack only"},
                             EndpointFlag()}},
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

Command ResetCommand() {
  return {.spec = {.name = "reset",
                   .summary = "delete all messages, logs and what was stored",
                   .flags = {{.name = "yes", .help = "do it"}, EndpointFlag()}},
          .run = Reset};
}

}  // namespace byoshin::local::cli
