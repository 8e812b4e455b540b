#include "local/cli/up_command.h"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/server.h"
#include "core/log/logger.h"
#include "core/time/iso8601.h"
#include "core/time/real_clock.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/terminal.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/series.h"
#include "local/stack/stack_cloud.h"
#include "mockapi/server.h"

namespace byoshin::local::cli {
namespace {

constexpr std::int64_t kMaxPort = 65535;

// The mock API's own log would drown the slots.
class NoSink final : public log::Sink {
 public:
  void WriteLine(absl::string_view) override {}
};

absl::StatusOr<std::string> DataDirectory(const Arguments& arguments,
                                          const CommandContext& context) {
  if (arguments.Has("in-memory")) return std::string();
  if (arguments.Has("data")) return arguments.Get("data");
  if (auto set = env::NonEmpty(context.environment, "BYOSHIN_DATA")) {
    return *set;
  }
  if (auto home = env::NonEmpty(context.environment, "HOME")) {
    return absl::StrCat(*home, "/.local/share/byoshin/up");
  }
  return absl::FailedPreconditionError(
      "there is no HOME to keep data in; say where with --data=FOLDER, or use "
      "--in-memory");
}

// One line a slot: when, how many, how late.
std::string SlotLine(const dashboard::SlotRecord& record) {
  return absl::StrFormat("%s  count %3d  %8.1f ms late\n",
                         time::FormatIso8601(record.slot), record.count,
                         absl::ToDoubleMilliseconds(
                             record.lateness.value_or(absl::ZeroDuration())));
}

void AwaitEndSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  int signal = 0;
  sigwait(&signals, &signal);
  // The next one ends the process at once, for those who do not want to wait.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

absl::Status Up(const Arguments& arguments, CommandContext& context) {
  const absl::StatusOr<std::int64_t> port =
      ParseCount("port", arguments.Get("port"), 0, kMaxPort);
  if (!port.ok()) return port.status();
  const absl::StatusOr<std::int64_t> api_port =
      ParseCount("api-port", arguments.Get("api-port"), 0, kMaxPort);
  if (!api_port.ok()) return api_port.status();
  const absl::StatusOr<std::string> data = DataDirectory(arguments, context);
  if (!data.ok()) return data.status();
  absl::StatusOr<stack::StackDeployment> deployment = ReadArtifacts(arguments);
  if (!deployment.ok()) return deployment.status();

  time::RealClock clock;
  NoSink no_sink;
  log::Logger api_logger(clock, no_sink);
  std::unique_ptr<http::Server> api;
  if (!deployment->parameters.contains(kApiBaseUrlParameter)) {
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

  std::mutex printing;
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start(
          {.gateway = {.port = static_cast<std::uint16_t>(*port)},
           .data_directory = *data,
           .on_record =
               [&](const dashboard::SlotRecord& record) {
                 std::lock_guard lock(printing);
                 context.terminal.Print(SlotLine(record));
               },
           .on_note =
               [&](const std::string& note) {
                 std::lock_guard lock(printing);
                 context.terminal.Note(absl::StrCat(note, "\n"));
               }},
          clock);
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
  {
    std::lock_guard lock(printing);
    context.terminal.Print(absl::StrCat(
        "Dashboard: ", (*cloud)->url(), "/\n", "Polling ",
        deployment->parameters[kApiBaseUrlParameter],
        " every 5 seconds, from the next minute on. Data is kept in ",
        data->empty() ? "memory" : *data, ". Ctrl-C stops.\n"));
  }
  (*cloud)->Begin();
  AwaitEndSignal();
  (*cloud)->Stop();
  return absl::OkStatus();
}

}  // namespace

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
      {.name = "data",
       .value = "FOLDER",
       .help = "where data is kept; without it $BYOSHIN_DATA or "
               "~/.local/share/byoshin/up"},
      {.name = "in-memory", .help = "keep nothing"}};
  for (FlagSpec& flag : ArtifactFlags()) flags.push_back(std::move(flag));
  return {.spec = {.name = "up",
                   .summary = "run the whole stack on this machine",
                   .details = "Prints a line for each slot that is stored.\n"
                              "Example: byoshin up "
                              "--parameter=ApiBaseUrl=https://api.example.com",
                   .flags = std::move(flags)},
          .run = Up};
}

}  // namespace byoshin::local::cli
