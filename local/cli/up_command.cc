#include "local/cli/up_command.h"

#include <json/json.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/host/end_signals.h"
#include "core/host/memory.h"
#include "core/host/open_files.h"
#include "core/json/value.h"
#include "core/time/clock.h"
#include "core/time/real_clock.h"
#include "core/time/ticker.h"
#include "local/applications/application.h"
#include "local/bedrock/module.h"
#include "local/cli/access_flags.h"
#include "local/cli/application_runs.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/data_flag.h"
#include "local/cli/greeting.h"
#include "local/cli/live_report.h"
#include "local/cli/model_flags.h"
#include "local/cli/queued_terminal.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"
#include "local/cloud/cloud.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/stack/outcomes.h"
#include "local/stack/stack_cloud.h"
#include "local/store/data_flags.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::cli {
namespace {

constexpr char kDurabilityFlag[] = "durability";

using applications::Application;

absl::StatusOr<std::string> Greeting(const stack::StackCloud& cloud,
                                     const std::string& data,
                                     std::set<std::string> deployed,
                                     const ApplicationRuns& runs) {
  const absl::StatusOr<std::string> described = cloud.source().DescribeStacks();
  if (!described.ok()) return described.status();
  const absl::StatusOr<Json::Value> stacks = json::ParseValue(*described);
  if (!stacks.ok()) return stacks.status();
  const GreetingParts parts{.url = cloud.url(),
                            .data = data,
                            .deployed = std::move(deployed),
                            .applications = runs.Greetings(),
                            .spoken_of = runs.ShownStacks(),
                            .stacks = (*stacks)["stacks"]};
  return GreetingText(parts);
}

absl::StatusOr<std::unique_ptr<stack::StackCloud>> StartCloud(
    const stack::StackCloudOptions& options, time::Clock& clock) {
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start(options, clock);
  if (!absl::IsAlreadyExists(cloud.status())) return cloud;
  return absl::AlreadyExistsError(
      absl::StrCat(cloud.status().message(),
                   " (--port=PORT and --data=FOLDER choose others)"));
}

absl::Status Up(const std::vector<Application>& applications,
                const Arguments& arguments, CommandContext& context) {
  // Before any thread is started: a second Ctrl-C ends whatever hangs.
  host::EndSignals end_signals;
  host::AllowManyOpenFiles();
  host::KeepLittleFreeMemory();
  absl::StatusOr<stack::StackCloudOptions> options =
      UpOptions(arguments, context.environment);
  if (!options.ok()) return options.status();
  absl::StatusOr<std::vector<stack::StackDeployment>> deployments =
      ReadArtifacts(arguments, context.environment, applications);
  if (!deployments.ok()) return deployments.status();

  time::RealClock clock;
  // The cloud calls back with its locks held, so nothing may wait there.
  QueuedTerminal terminal(context.terminal);
  LiveReport live(
      clock,
      [&](const std::string& line) { terminal.Note(absl::StrCat(line, "\n")); },
      PaperOf(context.terminal, context.environment).ellipsis);
  const auto note = [&](const std::string& text) { live.AddNote(text); };
  ApplicationRuns runs(
      applications,
      {.clock = clock,
       .http_client = context.http_client,
       .arguments = arguments,
       .credentials = AcceptedCredentials(*options),
       .print = [&](const std::string& text) { terminal.Print(text); },
       .note = note,
       .fails = [](absl::string_view) { return false; }});
  if (absl::Status ready = runs.Prepare(*deployments); !ready.ok()) {
    return ready;
  }
  options->early_requests = cloud::EarlyRequestsAre::kHeld;
  options->applications = runs.Modules();
  options->on_note = note;
  options->on_outcome = [&](const stack::FunctionOutcome& outcome) {
    live.AddOutcome(outcome);
  };
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      StartCloud(*options, clock);
  if (!cloud.ok()) return cloud.status();
  std::set<std::string> deployed;
  for (const stack::StackDeployment& deployment : *deployments) {
    deployed.insert(deployment.stack_name);
  }
  if (absl::Status status = runs.Deploy(*std::move(deployments), **cloud);
      !status.ok()) {
    return status;
  }
  absl::StatusOr<std::string> greeting =
      Greeting(**cloud, options->data_directory, std::move(deployed), runs);
  if (!greeting.ok()) return greeting.status();
  live.Begin({.source = (*cloud)->source(), .applications = runs.all()});
  (*cloud)->Begin();
  terminal.Print(*std::move(greeting));
  (*cloud)->WarmUp();
  runs.Begun();
  {
    host::FreeMemory free_memory;
    const time::Ticker ticker(clock, host::kFreeMemoryInterval,
                              [&](absl::Time) { free_memory.ReturnIfMuch(); });
    end_signals.Await();
  }
  runs.Stop();
  live.Stop();
  (*cloud)->Stop();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<stack::StackCloudOptions> UpOptions(
    const Arguments& arguments, const env::Environment& environment) {
  const absl::StatusOr<std::uint16_t> port =
      ParsePort("port", arguments.Get("port"));
  if (!port.ok()) return port.status();
  absl::StatusOr<std::string> data =
      DataFolder(ReadDataFlags(arguments), kDataBelowHome, environment);
  if (!data.ok()) return data.status();
  const absl::StatusOr<Durability> durability =
      ParseDurability(kDurabilityFlag, arguments.Get(kDurabilityFlag));
  if (!durability.ok()) return durability.status();
  if (data->empty() && arguments.Has(kDurabilityFlag)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", kDurabilityFlag, " has no effect with --",
                     kInMemoryFlag, "; leave one of them out"));
  }
  stack::StackCloudOptions options{
      .gateway = {.port = *port},
      .data_directory = *std::move(data),
      .durability = *durability,
      .postgres_url = arguments.Get(kPostgresFlag)};
  if (absl::Status access = ReadAccessFlags(arguments, options); !access.ok()) {
    return access;
  }
  absl::StatusOr<bedrock::BedrockOptions> model =
      ReadModelFlags(arguments, environment);
  if (!model.ok()) return model.status();
  options.bedrock = *std::move(model);
  return options;
}

Command UpCommand(const std::vector<Application>& applications) {
  std::vector<FlagSpec> flags = {
      {.name = "port",
       .value = "PORT",
       .help = "of the dashboard and of AWS's APIs; 0 for any",
       .default_value = "4566"},
      {.name = kDataFlag,
       .value = "FOLDER",
       .help = "where data is kept; without it $BYOSHIN_DATA or "
               "~/.local/share/byoshin/up"},
      {.name = kInMemoryFlag, .help = "keep nothing"},
      {.name = kDurabilityFlag,
       .value = "WHAT",
       .help = "what stored data survives: a crash of the process, or full: "
               "of the machine, too",
       .default_value = "process"},
      {.name = kPostgresFlag,
       .value = "URL",
       .help = "a PostgreSQL server for the clusters of RDS: "
               "postgresql://USER:PASSWORD@HOST:5432; without it, byoshin "
               "runs one for each cluster"}};
  for (FlagSpec& flag : AccessFlags()) flags.push_back(std::move(flag));
  for (FlagSpec& flag : ModelFlags()) flags.push_back(std::move(flag));
  for (FlagSpec& flag : ArtifactFlags(applications)) {
    flags.push_back(std::move(flag));
  }
  for (const Application& application : applications) {
    flags.insert(flags.end(), application.up_flags.begin(),
                 application.up_flags.end());
  }
  return {.spec = {.name = "up",
                   .summary = "run stacks on this machine",
                   .details = "Prints what happens, such as a line for each "
                              "slot that is stored, and what fails and why.\n"
                              "With --template it runs any template of "
                              "resources that the local cloud has; the mock "
                              "API\nis started if the template has the "
                              "parameter ApiBaseUrl.\n"
                              "Example: byoshin up "
                              "--parameter=ApiBaseUrl=https://api.example.com",
                   .flags = std::move(flags)},
          .run = [applications](const Arguments& arguments,
                                CommandContext& context) {
            return Up(applications, arguments, context);
          }};
}

}  // namespace byoshin::local::cli
