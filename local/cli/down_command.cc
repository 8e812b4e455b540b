#include "local/cli/down_command.h"

#include <json/json.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/host/open_files.h"
#include "core/json/value.h"
#include "core/time/real_clock.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_client.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cli/data_flag.h"
#include "local/cli/queued_terminal.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"
#include "local/dashboard/source.h"
#include "local/stack/deployments.h"
#include "local/stack/stack_cloud.h"
#include "local/store/data_flags.h"

namespace byoshin::local::cli {
namespace {

using applications::Application;
using dashboard::RemovedStack;

// The time that a custom resource may take by default.
constexpr absl::Duration kRemovalTimeout = absl::Hours(1);

// `name` may be that of an application, as for --stack.
std::string StackNamed(const std::vector<Application>& applications,
                       const std::string& name) {
  for (const Application& application : applications) {
    if (application.name == name) return application.stack_name;
  }
  return name;
}

absl::StatusOr<RemovedStack> RemoveFromRunning(const std::string& name,
                                               const Arguments& arguments,
                                               CommandContext& context) {
  Json::Value body;
  body["stack"] = name;
  const absl::StatusOr<Json::Value> answer =
      ClientFor(arguments, context).Post("remove-stack", body, kRemovalTimeout);
  if (!answer.ok()) return answer.status();
  RemovedStack removed{.name = json::TextMember(*answer, "removed")};
  for (const Json::Value& resource : (*answer)["retained"]) {
    removed.retained.push_back(
        {.logical_id = json::TextMember(resource, "logicalId"),
         .type = json::TextMember(resource, "type"),
         .physical_id = json::TextMember(resource, "physicalId")});
  }
  return removed;
}

// Runs a cloud on the data, without schedules and without messages, so that
// each service deletes what it keeps.
absl::StatusOr<RemovedStack> RemoveFromData(const std::string& name,
                                            const Arguments& arguments,
                                            CommandContext& context) {
  host::AllowManyOpenFiles();
  const absl::StatusOr<std::string> folder =
      DataFolder(ReadDataFlags(arguments), kDataBelowHome, context.environment);
  if (!folder.ok()) return folder.status();
  std::error_code ignored;
  if (!std::filesystem::exists(*folder, ignored)) {
    return absl::NotFoundError(absl::StrCat(
        "there is no stack \"", name, "\": ", *folder, " does not exist"));
  }
  time::RealClock clock;
  QueuedTerminal terminal(context.terminal);
  const absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start({.gateway = {.port = 0},
                                .data_directory = *folder,
                                .postgres_url = arguments.Get(kPostgresFlag),
                                .on_note =
                                    [&terminal](const std::string& note) {
                                      terminal.Note(absl::StrCat(note, "\n"));
                                    }},
                               clock);
  if (absl::IsAlreadyExists(cloud.status())) {
    return absl::AlreadyExistsError(
        absl::StrCat(cloud.status().message(),
                     " (--endpoint=URL removes it from a cloud that runs)"));
  }
  if (!cloud.ok()) return cloud.status();
  absl::StatusOr<RemovedStack> removed =
      (*cloud)->Get<stack::Deployments>().Remove(name);
  (*cloud)->Stop();
  return removed;
}

absl::Status Down(const std::vector<Application>& applications,
                  const Arguments& arguments, CommandContext& context) {
  if (arguments.Has(kDataFlag) && arguments.Has("endpoint")) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", kDataFlag,
                     " is for a cloud that does not run, --endpoint for "
                     "one that does; leave one of them out"));
  }
  const std::string name = StackNamed(applications, arguments.Word(0));
  absl::StatusOr<RemovedStack> removed =
      arguments.Has(kDataFlag) ? RemoveFromData(name, arguments, context)
                               : RemoveFromRunning(name, arguments, context);
  if (absl::IsUnavailable(removed.status()) && !arguments.Has(kDataFlag) &&
      !arguments.Has("endpoint")) {
    removed = RemoveFromData(name, arguments, context);
  }
  if (!removed.ok()) return removed.status();
  context.terminal.Print(
      absl::StrCat("removed the stack ", removed->name, "\n"));
  if (removed->retained.empty()) return absl::OkStatus();
  std::vector<std::vector<std::string>> rows;
  for (RemovedStack::Resource& resource : removed->retained) {
    rows.push_back({std::move(resource.logical_id), std::move(resource.type),
                    std::move(resource.physical_id)});
  }
  context.terminal.Print(absl::StrCat(
      "Its template retains these. If it is deployed again, they are part of "
      "it, with their data:\n",
      FormatTable({"RESOURCE", "TYPE", "NAME"}, std::move(rows),
                  PaperOf(context.terminal, context.environment))));
  return absl::OkStatus();
}

}  // namespace

Command DownCommand(const std::vector<Application>& applications) {
  return {
      .spec =
          {.name = "down",
           .summary = "remove a stack",
           .details =
               "Deletes the stack with its resources and their data, as "
               "CloudFormation's\nDeleteStack does: what the template retains "
               "stays. If no cloud runs, it is\nremoved from the data.\n"
               "Example: byoshin down generation",
           .words = {{.name = "STACK",
                      .help = "as for --stack of `up`, or the name of a "
                              "CloudFormation stack"}},
           .flags = {EndpointFlag(),
                     {.name = kDataFlag,
                      .value = "FOLDER",
                      .help = "the data of a cloud that does not run; without "
                              "it, if none runs, that of `up`"},
                     {.name = kPostgresFlag,
                      .value = "URL",
                      .help = "as for `up`, if it was started with it"}}},
      .run = [applications](const Arguments& arguments,
                            CommandContext& context) {
        return Down(applications, arguments, context);
      }};
}

}  // namespace byoshin::local::cli
