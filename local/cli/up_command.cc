#include "local/cli/up_command.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
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
#include "core/aws/sqs/json_client.h"
#include "core/env/environment.h"
#include "core/host/end_signals.h"
#include "core/host/open_files.h"
#include "core/http/server.h"
#include "core/log/logger.h"
#include "core/scheduler/config.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "core/time/real_clock.h"
#include "local/cli/access_flags.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/data_flag.h"
#include "local/cli/first_minute.h"
#include "local/cli/live_report.h"
#include "local/cli/queued_terminal.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/duration_text.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/stack/outcomes.h"
#include "local/stack/scheduler_parts.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"
#include "local/store/data_flags.h"
#include "local/store/sqlite_store.h"
#include "mockapi/server.h"

namespace byoshin::local::cli {
namespace {

constexpr std::int64_t kMaxPort = 65535;
constexpr char kDurabilityFlag[] = "durability";
constexpr char kDataBelowHome[] = ".local/share/byoshin/up";

// The mock API's own log would drown the slots.
class NoSink final : public log::Sink {
 public:
  void WriteLine(absl::string_view) override {}
};

// One line a slot: when, how many, how late.
std::string SlotLine(const dashboard::SlotRecord& record) {
  return absl::StrFormat(
      "%s  count %3d  %11s late\n", time::FormatIso8601(record.slot),
      record.count,
      dashboard::DurationText(record.lateness.value_or(absl::ZeroDuration())));
}

std::string PollingText(const std::string& api) {
  return absl::StrCat("Polling ", api.empty() ? "the stack's own API" : api,
                      " every ", absl::ToInt64Seconds(scheduler::kSlotInterval),
                      " seconds. ");
}

// Whether messages are waiting for their slots: of a minute that fired before
// the cloud was stopped.
bool HasDelayedMessages(dashboard::DashboardSource& source) {
  const absl::StatusOr<dashboard::Status> status = source.GetStatus();
  return status.ok() &&
         std::any_of(status->queues.begin(), status->queues.end(),
                     [](const dashboard::QueueStatus& queue) {
                       return queue.delayed > 0;
                     });
}

absl::Status Up(const Arguments& arguments, CommandContext& context) {
  // Before any thread is started: a second Ctrl-C ends whatever hangs.
  host::EndSignals end_signals;
  host::AllowManyOpenFiles();
  absl::StatusOr<stack::StackCloudOptions> options =
      UpOptions(arguments, context.environment);
  if (!options.ok()) return options.status();
  const absl::StatusOr<std::int64_t> api_port =
      ParseCount("api-port", arguments.Get("api-port"), 0, kMaxPort);
  if (!api_port.ok()) return api_port.status();
  absl::StatusOr<stack::StackDeployment> deployment =
      ReadArtifacts(arguments, context.environment);
  if (!deployment.ok()) return deployment.status();

  const absl::StatusOr<stack::TemplateInputs> inputs =
      stack::ReadTemplateInputs(deployment->template_text);
  if (!inputs.ok()) return inputs.status();

  time::RealClock clock;
  NoSink no_sink;
  log::Logger api_logger(clock, no_sink);
  std::unique_ptr<http::Server> api;
  if (inputs->parameters.contains(kApiBaseUrlParameter) &&
      !deployment->parameters.contains(kApiBaseUrlParameter)) {
    absl::StatusOr<std::unique_ptr<http::Server>> started =
        mockapi::StartServer(
            {.port = static_cast<std::uint16_t>(*api_port), .clock = &clock},
            api_logger);
    if (!started.ok()) {
      return absl::Status(
          started.status().code(),
          absl::StrCat(started.status().message(),
                       "; choose another port for the mock API with "
                       "--api-port=PORT, or poll an API of your own with "
                       "--parameter=ApiBaseUrl=URL"));
    }
    api = *std::move(started);
    deployment->parameters[kApiBaseUrlParameter] = api->url();
  }

  // The cloud calls back with its locks held, so nothing may wait there.
  QueuedTerminal terminal(context.terminal);
  LiveReport live(
      clock,
      [&](const std::string& line) { terminal.Note(absl::StrCat(line, "\n")); },
      PaperOf(context.terminal, context.environment).ellipsis);
  const auto note = [&](const std::string& text) { live.AddNote(text); };
  options->on_record = [&](const dashboard::SlotRecord& record) {
    live.AddRecord(record);
    terminal.Print(SlotLine(record));
  };
  options->on_note = note;
  options->on_outcome = [&](const stack::FunctionOutcome& outcome) {
    live.AddOutcome(outcome);
  };
  const std::string data = options->data_directory;
  const LocalCredentials credentials = AcceptedCredentials(*options);
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start(*std::move(options), clock);
  if (!cloud.ok()) {
    return absl::Status(
        cloud.status().code(),
        absl::StrCat(cloud.status().message(),
                     absl::IsAlreadyExists(cloud.status())
                         ? " (--port=PORT and --data=FOLDER choose others)"
                         : ""));
  }
  const absl::StatusOr<cloudformation::DeployResult> deployed =
      (*cloud)->Deploy(*deployment);
  if (!deployed.ok()) return deployed.status();
  LiveReport::Observed observed{.source = (*cloud)->source()};
  if (const std::optional<stack::SchedulerParts> parts =
          stack::FindScheduler(deployed->stack)) {
    observed.window_lag = parts->window_lag;
  }
  live.Begin(observed);
  (*cloud)->Begin();
  terminal.Print(absl::StrCat(
      "Dashboard: ", (*cloud)->url(), "/\n",
      observed.window_lag.has_value()
          ? PollingText(deployment->parameters[kApiBaseUrlParameter])
          : "",
      "Data is kept in ", data.empty() ? "memory" : data, ". Ctrl-C stops.\n",
      absl::EndsWith((*cloud)->url(), absl::StrCat(":", kDefaultPort))
          ? ""
          : absl::StrCat("Other commands need --endpoint=", (*cloud)->url(),
                         ".\n")));
  (*cloud)->WarmUp();
  aws::sqs::JsonClient queue(
      {.http = context.http_client,
       .clock = clock,
       .environment = ClientEnvironment((*cloud)->url(), credentials)});
  std::optional<scheduler::SenderConfig> sender = FindSender(deployed->stack);
  std::optional<FirstMinute> first_minute;
  // Of a template that is not ours we don't know what its messages mean.
  if (!arguments.Has("template") && sender.has_value() &&
      !HasDelayedMessages((*cloud)->source())) {
    first_minute.emplace(
        FirstMinute::World{
            .clock = clock,
            .queue = queue,
            .on_sent =
                [&](absl::Time slot) { (*cloud)->ExpectSlotsFrom(slot); },
            .on_error =
                [&](const absl::Status& status) {
                  note(
                      absl::StrCat("nothing is polled before the next full "
                                   "minute: ",
                                   status.message()));
                }},
        *std::move(sender));
  }
  end_signals.Await();
  first_minute.reset();
  live.Stop();
  (*cloud)->Stop();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<stack::StackCloudOptions> UpOptions(
    const Arguments& arguments, const env::Environment& environment) {
  const absl::StatusOr<std::int64_t> port =
      ParseCount("port", arguments.Get("port"), 0, kMaxPort);
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
      .gateway = {.port = static_cast<std::uint16_t>(*port)},
      .data_directory = *std::move(data),
      .durability = *durability};
  if (absl::Status access = ReadAccessFlags(arguments, options); !access.ok()) {
    return access;
  }
  return options;
}

Command UpCommand() {
  std::vector<FlagSpec> flags = {
      {.name = "port",
       .value = "PORT",
       .help = "of the dashboard and of AWS's APIs; 0 for any",
       .default_value = "4566"},
      {.name = "api-port",
       .value = "PORT",
       .help = "of the mock API; 0 for any",
       .default_value = "3000"},
      {.name = kDataFlag,
       .value = "FOLDER",
       .help = "where data is kept; without it $BYOSHIN_DATA or "
               "~/.local/share/byoshin/up"},
      {.name = kInMemoryFlag, .help = "keep nothing"},
      {.name = kDurabilityFlag,
       .value = "WHAT",
       .help = "what stored data survives: a crash of the process, or full: "
               "of the machine, too",
       .default_value = "process"}};
  for (FlagSpec& flag : AccessFlags()) flags.push_back(std::move(flag));
  for (FlagSpec& flag : ArtifactFlags()) flags.push_back(std::move(flag));
  return {.spec = {.name = "up",
                   .summary = "run the whole stack on this machine",
                   .details = "Prints a line for each slot that is stored, and "
                              "what fails and why.\n"
                              "With --template it runs any template of "
                              "resources that the local cloud has; the mock "
                              "API\nis started if the template has the "
                              "parameter ApiBaseUrl.\n"
                              "Example: byoshin up "
                              "--parameter=ApiBaseUrl=https://api.example.com",
                   .flags = std::move(flags)},
          .run = Up};
}

}  // namespace byoshin::local::cli
