// `byoshin executions`: the executions of state machines, or one of them with
// its events.

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/url.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/escape.h"
#include "local/cli/format.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"
#include "local/dashboard/duration_text.h"

namespace byoshin::local::cli {
namespace {

constexpr char kPanel[] = "stepfunctions";
constexpr char kFailedStatuses[] = "FAILED,TIMED_OUT,ABORTED";
constexpr std::int64_t kMaxExecutions = 1000;
constexpr std::size_t kMaxErrorBytes = 60;

// The machines of the status that `wanted` names: all if it is empty.
absl::StatusOr<Json::Value> FindMachines(const Json::Value& status,
                                         const std::string& wanted) {
  const Json::Value& all = status[kPanel]["machines"];
  if (all.empty()) {
    return absl::NotFoundError("there is no state machine in this cloud");
  }
  if (wanted.empty()) return all;
  Json::Value similar(Json::arrayValue);
  std::vector<std::string> names;
  std::vector<std::string> similar_names;
  for (const Json::Value& machine : all) {
    const std::string name = machine["name"].asString();
    names.push_back(name);
    if (name == wanted || machine["arn"].asString() == wanted) {
      Json::Value one(Json::arrayValue);
      one.append(machine);
      return one;
    }
    if (absl::StrContains(absl::AsciiStrToLower(name),
                          absl::AsciiStrToLower(wanted))) {
      similar.append(machine);
      similar_names.push_back(name);
    }
  }
  if (similar.size() == 1) return similar;
  if (similar.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no state machine \"", wanted,
                     "\"; there are: ", absl::StrJoin(names, ", ")));
  }
  return absl::NotFoundError(
      absl::StrCat("several state machines have \"", wanted,
                   "\" in their names: ", absl::StrJoin(similar_names, ", ")));
}

// The newest `limit` of the machine's, each with the machine's name.
absl::Status AppendExecutions(CloudClient& cloud, const Json::Value& machine,
                              const std::string& statuses, std::int64_t limit,
                              Json::Value& executions) {
  std::string after;
  std::int64_t left = limit;
  do {
    std::vector<http::QueryParameter> query = {
        {"machine", machine["arn"].asString()}, {"limit", absl::StrCat(left)}};
    if (!statuses.empty()) query.push_back({"status", statuses});
    if (!after.empty()) query.push_back({"after", after});
    const absl::StatusOr<Json::Value> page =
        cloud.Get(absl::StrCat(kPanel, "/executions"), query);
    if (!page.ok()) return page.status();
    for (Json::Value execution : (*page)["executions"]) {
      execution["machine"] = machine["name"];
      executions.append(std::move(execution));
      --left;
    }
    after = (*page)["next"].isString() ? (*page)["next"].asString() : "";
  } while (left > 0 && !after.empty());
  return absl::OkStatus();
}

std::string TookText(const Json::Value& execution, const Json::Value& now) {
  const Json::Value& end =
      execution["stop"].isNumeric() ? execution["stop"] : now;
  return dashboard::DurationText(
      absl::Milliseconds(end.asInt64() - execution["start"].asInt64()));
}

std::string ExecutionsTable(const Json::Value& executions,
                            const Json::Value& now, const Paper& paper) {
  std::vector<std::vector<std::string>> rows;
  for (const Json::Value& execution : executions) {
    rows.push_back(
        {execution["machine"].asString(), execution["name"].asString(),
         execution["status"].asString(), FormatMillis(execution["start"]),
         TookText(execution, now)});
  }
  return FormatTable(
      {"STATE MACHINE", "EXECUTION", "STATUS", "STARTED", "TOOK"},
      std::move(rows), paper, {0, 1});
}

absl::Status PrintList(const Json::Value& status, const Json::Value& machines,
                       const Arguments& arguments, CommandContext& context) {
  const absl::StatusOr<std::int64_t> limit =
      ParseCount("lines", arguments.Get("lines"), 1, kMaxExecutions);
  if (!limit.ok()) return limit.status();
  if (arguments.Has("failed") && arguments.Has("status")) {
    return absl::InvalidArgumentError("give --failed or --status, not both");
  }
  const std::string statuses =
      arguments.Has("failed") ? kFailedStatuses
                              : absl::AsciiStrToUpper(arguments.Get("status"));
  CloudClient cloud = ClientFor(arguments, context);
  Json::Value executions(Json::arrayValue);
  for (const Json::Value& machine : machines) {
    if (absl::Status read =
            AppendExecutions(cloud, machine, statuses, *limit, executions);
        !read.ok()) {
      return read;
    }
  }
  if (arguments.Has("json")) {
    Json::Value document(Json::objectValue);
    document["executions"] = executions;
    context.terminal.Print(document.toStyledString());
    return absl::OkStatus();
  }
  context.terminal.Print(
      ExecutionsTable(executions, status["now"],
                      PaperOf(context.terminal, context.environment)));
  return absl::OkStatus();
}

// All pages as one answer.
absl::StatusOr<Json::Value> GetExecution(CloudClient& cloud,
                                         const std::string& arn) {
  Json::Value whole;
  std::int64_t next = 0;
  do {
    absl::StatusOr<Json::Value> page =
        cloud.Get(absl::StrCat(kPanel, "/execution"),
                  {{"arn", arn}, {"after", absl::StrCat(next)}});
    if (!page.ok()) return page.status();
    if (next == 0) {
      whole = *page;
    } else {
      for (const Json::Value& event : (*page)["events"]) {
        whole["events"].append(event);
      }
    }
    next = (*page)["next"].asInt64();
    if ((*page)["events"].empty()) break;
    if (next >= (*page)["total"].asInt64()) break;
  } while (true);
  whole.removeMember("next");
  whole.removeMember("total");
  return whole;
}

// Of the first machine that has one of this name. An ARN is taken as it is.
absl::StatusOr<Json::Value> FindExecution(CloudClient& cloud,
                                          const Json::Value& machines,
                                          const std::string& name) {
  if (absl::StartsWith(name, "arn:")) return GetExecution(cloud, name);
  absl::StatusOr<Json::Value> found = absl::NotFoundError(name);
  for (const Json::Value& machine : machines) {
    const std::string arn =
        absl::StrCat(absl::StrReplaceAll(machine["arn"].asString(),
                                         {{":stateMachine:", ":execution:"}}),
                     ":", name);
    found = GetExecution(cloud, arn);
    if (found.ok() || absl::IsUnavailable(found.status())) return found;
  }
  return machines.size() == 1
             ? found
             : absl::NotFoundError(absl::StrCat(
                   "no state machine has an execution \"", name, "\""));
}

// The events of tasks don't name their state, which the ones before them do.
std::vector<std::vector<std::string>> EventRows(const Json::Value& events) {
  std::map<std::int64_t, std::string> states;
  std::vector<std::vector<std::string>> rows;
  for (const Json::Value& event : events) {
    const std::string type = event["type"].asString();
    std::string state = event["name"].asString();
    if (state.empty() && !absl::StartsWith(type, "Execution") &&
        !absl::StartsWith(type, "Map") && !absl::StartsWith(type, "Parallel")) {
      state = states[event["previous"].asInt64()];
    }
    states[event["id"].asInt64()] = state;
    const std::string error = event["error"].asString();
    const std::string cause = event["cause"].asString();
    rows.push_back(
        {FormatCount(event["id"]), FormatMillis(event["t"]), type, state,
         CutEnd(Printable(cause.empty() ? error
                                        : absl::StrCat(error, ": ", cause)),
                kMaxErrorBytes, "...")});
  }
  return rows;
}

std::string OneText(const Json::Value& shown, const Json::Value& now,
                    const Paper& paper) {
  const Json::Value& execution = shown["execution"];
  std::string text = absl::StrCat(
      "execution  ", Printable(execution["name"].asString()), "\n",
      "machine    ", Printable(execution["machineName"].asString()), "\n",
      "status     ", execution["status"].asString(), "\n", "started    ",
      FormatMillis(execution["start"]), "\n", "took       ",
      TookText(execution, now), "\n");
  for (const char* name : {"input", "output", "error", "cause"}) {
    if (!execution.isMember(name)) continue;
    absl::StrAppend(&text, name,
                    std::string(11 - std::string(name).size(), ' '),
                    Printable(execution[name].asString()), "\n");
  }
  return absl::StrCat(text, "\n",
                      FormatTable({"#", "TIME", "EVENT", "STATE", "ERROR"},
                                  EventRows(shown["events"]), paper, {3}));
}

absl::Status PrintOne(const Json::Value& status, const Json::Value& machines,
                      const Arguments& arguments, CommandContext& context) {
  CloudClient cloud = ClientFor(arguments, context);
  const absl::StatusOr<Json::Value> shown =
      FindExecution(cloud, machines, arguments.Get("name"));
  if (!shown.ok()) return shown.status();
  context.terminal.Print(
      arguments.Has("json")
          ? shown->toStyledString()
          : OneText(*shown, status["now"],
                    PaperOf(context.terminal, context.environment)));
  return absl::OkStatus();
}

absl::Status PrintExecutions(const Arguments& arguments,
                             CommandContext& context) {
  const absl::StatusOr<Json::Value> status =
      ClientFor(arguments, context).Get("status", {});
  if (!status.ok()) return status.status();
  const absl::StatusOr<Json::Value> machines =
      FindMachines(*status, arguments.Word(0));
  if (!machines.ok()) return machines.status();
  return arguments.Has("name")
             ? PrintOne(*status, *machines, arguments, context)
             : PrintList(*status, *machines, arguments, context);
}

}  // namespace

Command ExecutionsCommand() {
  return {
      .spec = {.name = "executions",
               .summary = "print the executions of state machines",
               .details = "Executions of EXPRESS state machines are not kept.\n"
                          "Example: byoshin executions orders --failed\n"
                          "         byoshin executions --name=order-17",
               .words = {{.name = "MACHINE",
                          .help = "a state machine, or a part of its name; "
                                  "without it, all",
                          .required = false}},
               .flags = {{.name = "status",
                          .value = "STATUS",
                          .help = "only these: running, succeeded, failed, "
                                  "timed_out or aborted, separated by commas"},
                         {.name = "failed",
                          .help = "only those that failed, timed out or were "
                                  "aborted"},
                         {.name = "name",
                          .value = "EXECUTION",
                          .help = "this one, with its events; a name or an "
                                  "ARN"},
                         {.name = "lines",
                          .value = "N",
                          .help = "how many of each state machine, up to 1000",
                          .default_value = "20",
                          .letter = 'n'},
                         {.name = "json", .help = "as a JSON document"},
                         EndpointFlag()}},
      .run = PrintExecutions};
}

}  // namespace byoshin::local::cli
