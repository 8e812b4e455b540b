#include "local/applications/generation/commands.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "core/generation/process.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "local/applications/generation/process_panel.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/escape.h"
#include "local/cli/format.h"
#include "local/cli/table.h"
#include "local/dashboard/duration_text.h"

namespace byoshin::local::applications {
namespace {

using cli::FormatCount;

constexpr std::size_t kMaxReasonBytes = 80;

// Those that have one, by state: "8 completed, 1 failed".
std::string CountsText(const Json::Value& counts) {
  std::vector<std::string> parts;
  for (const generation::ProcessStatus status : generation::kProcessStatuses) {
    const std::string name(generation::NameOf(status));
    if (!counts.isMember(name)) continue;
    parts.push_back(absl::StrCat(FormatCount(counts[name]), " ",
                                 absl::AsciiStrToLower(name)));
  }
  return parts.empty() ? "none" : absl::StrJoin(parts, ", ");
}

std::int64_t SumOf(const Json::Value& counts) {
  std::int64_t sum = 0;
  for (const Json::Value& count : counts) sum += count.asInt64();
  return sum;
}

// Until now, if it is not over.
std::string Took(const Json::Value& process, const Json::Value& now) {
  const Json::Value& end =
      process["completed"].isNumeric() ? process["completed"] : now;
  return dashboard::DurationText(
      absl::Milliseconds(end.asInt64() - process["created"].asInt64()));
}

std::string Reason(const Json::Value& process) {
  const Json::Value& error = process["error"];
  if (!error.isObject()) return "";
  return cli::CutEnd(
      cli::Printable(absl::StrCat(json::TextMember(error, "code"), ": ",
                                  json::TextMember(error, "message"))),
      kMaxReasonBytes, "...");
}

std::string ProcessesTable(const Json::Value& processes, const Json::Value& now,
                           const cli::Paper& paper) {
  std::vector<std::vector<std::string>> rows;
  for (const Json::Value& process : processes) {
    rows.push_back({json::TextMember(process, "id"),
                    json::TextMember(process, "type"),
                    json::TextMember(process, "status"),
                    absl::StrCat(FormatCount(process["progress"]), "%"),
                    FormatCount(process["retryCount"]),
                    cli::FormatMillis(process["created"]), Took(process, now),
                    Reason(process)});
  }
  return cli::FormatTable({"PROCESS", "TYPE", "STATUS", "PROGRESS", "RETRY",
                           "CREATED", "TOOK", "REASON"},
                          std::move(rows), paper, {0, 7});
}

absl::Status PrintProcesses(const cli::Arguments& arguments,
                            cli::CommandContext& context) {
  const absl::StatusOr<std::int64_t> limit =
      cli::ParseCount("lines", arguments.Get("lines"), 1, kMaxListedProcesses);
  if (!limit.ok()) return limit.status();
  if (arguments.Has("failed") && arguments.Has("status")) {
    return absl::InvalidArgumentError("give --failed or --status, not both");
  }
  const std::string statuses =
      arguments.Has("failed")
          ? absl::StrCat(
                generation::NameOf(generation::ProcessStatus::kFailed), ",",
                generation::NameOf(generation::ProcessStatus::kTimeout))
          : absl::AsciiStrToUpper(arguments.Get("status"));
  cli::CloudClient cloud = cli::ClientFor(arguments, context);
  const absl::StatusOr<Json::Value> status = cloud.Get("status", {});
  if (!status.ok()) return status.status();
  if (!status->isMember(kGenerationName)) {
    return absl::NotFoundError(
        "asynchronous generation is not deployed in this cloud; start it with "
        "`byoshin up --stack=generation`");
  }
  std::vector<http::QueryParameter> query = {{"limit", absl::StrCat(*limit)}};
  if (!statuses.empty()) query.push_back({"status", statuses});
  const absl::StatusOr<Json::Value> list =
      cloud.Get(absl::StrCat(kGenerationName, "/processes"), query);
  if (!list.ok()) return list.status();
  context.terminal.Print(
      arguments.Has("json")
          ? list->toStyledString()
          : ProcessesTable(
                (*list)["processes"], (*status)["now"],
                cli::PaperOf(context.terminal, context.environment)));
  return absl::OkStatus();
}

}  // namespace

cli::Command ProcessesCommand() {
  return {
      .spec = {.name = "processes",
               .summary = "print the processes of asynchronous generation",
               .details = "The newest first.\n"
                          "Example: byoshin processes --failed -n 5",
               .flags = {{.name = "status",
                          .value = "STATUS",
                          .help = "only these: pending, processing, completed, "
                                  "failed, timeout or cancelled, separated by "
                                  "commas"},
                         {.name = "failed",
                          .help = "only those that failed or timed out"},
                         {.name = "lines",
                          .value = "N",
                          .help = absl::StrCat("how many, up to ",
                                               kMaxListedProcesses),
                          .default_value = "20",
                          .letter = 'n'},
                         {.name = "json", .help = "as a JSON document"},
                         cli::EndpointFlag()}},
      .run = PrintProcesses};
}

std::string FormatGenerationStatus(const Json::Value& status) {
  if (status["problem"].isString()) {
    return absl::StrCat("processes     ",
                        cli::Printable(status["problem"].asString()), "\n");
  }
  const Json::Value& model = status["model"];
  return absl::StrCat(
      "processes     ", CountsText(status["processes"]["counts"]), "\n",
      "model calls   ", FormatCount(model["calls"]), ", ",
      FormatCount(Json::Int64{SumOf(model["errors"])}), " failed, ",
      FormatCount(Json::Int64{model["inputTokens"].asInt64() +
                              model["outputTokens"].asInt64()}),
      " tokens\n");
}

}  // namespace byoshin::local::applications
