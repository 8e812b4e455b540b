#include "local/cli/simulate_command.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "core/host/end_signals.h"
#include "core/host/open_files.h"
#include "core/http/client.h"
#include "core/time/iso8601.h"
#include "core/time/simulated_clock.h"
#include "local/applications/application.h"
#include "local/bedrock/module.h"
#include "local/cli/application_runs.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/data_flag.h"
#include "local/cli/faults.h"
#include "local/cli/model_flags.h"
#include "local/cli/queued_terminal.h"
#include "local/cli/simulated_span.h"
#include "local/cli/simulation_state.h"
#include "local/cli/terminal.h"
#include "local/dashboard/source.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/error.h"
#include "local/lambda/async_invoker.h"
#include "local/stack/stack_cloud.h"
#include "local/store/data_flags.h"

namespace byoshin::local::cli {
namespace {

using applications::Application;

// After the last minute: long enough for every message to be retried until it
// is a dead letter (five receives, three minutes apart), and again once it was
// moved back.
constexpr absl::Duration kSettleTime = absl::Minutes(20);
constexpr int kMaxRedrives = 10;

// How far it runs in one go: then it is saved, and Ctrl-C heard.
constexpr absl::Duration kStep = absl::Seconds(5);

// Where no message is under way, so much is enough: an invocation that failed
// in the last minute has had its retries then, and what they sent its time.
absl::Duration LeastSettleTime() {
  return lambda::kFirstRetryPause + lambda::kSecondRetryPause +
         absl::Minutes(1);
}

void ShowProgress(QueuedTerminal& terminal, double done, absl::Time now) {
  constexpr int kWidth = 40;
  const int filled = static_cast<int>(done * kWidth);
  terminal.Note(absl::StrFormat(
      "\r[%s%s] %3.0f %%  %s", std::string(filled, '#'),
      std::string(kWidth - filled, ' '), done * 100, time::FormatIso8601(now)));
}

// Moves dead letters back, as an operator would; answers how many.
absl::StatusOr<std::int64_t> RedriveAll(dashboard::DashboardSource& source) {
  const absl::StatusOr<dashboard::Status> status = source.GetStatus();
  if (!status.ok()) return status.status();
  std::set<std::pair<std::string, std::string>> queues;
  for (const dashboard::QueueStatus& queue : status->queues) {
    if (!queue.dead_letter_queue.empty()) {
      queues.emplace(queue.stack, queue.dead_letter_queue);
    }
  }
  std::int64_t all = 0;
  for (const auto& [stack, queue] : queues) {
    const absl::StatusOr<std::int64_t> moved =
        source.Redrive({.stack = stack, .queue = queue}, std::nullopt);
    if (!moved.ok()) return moved.status();
    all += *moved;
  }
  return all;
}

struct Plan {
  absl::Time start;  // the first minute
  absl::Time end;
  // Where the clock begins: shortly before the first minute, so that it fires,
  // or where an earlier simulation on the same data has stopped.
  absl::Time now;
  std::string data{};  // empty: in memory
  Faults faults{};
  std::uint64_t seed = 0;
  bedrock::BedrockOptions bedrock{};
};

// Start and clock of the plan: from the flags, or from what is in --data.
absl::Status ReadStart(const Arguments& arguments,
                       const env::Environment& environment, Plan& plan) {
  const absl::StatusOr<absl::Time> start =
      ParseSimulatedStart(arguments.Get("start"));
  if (!start.ok()) return start.status();
  plan.start = *start;
  plan.now = plan.start - absl::Seconds(1);
  const DataFlags data = ReadDataFlags(arguments);
  if (absl::Status status = CheckDataFlags(data); !status.ok()) return status;
  if (!data.data.has_value()) return absl::OkStatus();
  plan.data = env::FromWorkingDirectory(*data.data, environment);
  const absl::StatusOr<std::optional<SimulationState>> state =
      ReadState(plan.data);
  if (!state.ok()) return state.status();
  if (!state->has_value()) {
    return SaveState(plan.data, {.start = plan.start, .now = plan.now});
  }
  if (arguments.Has("start") && (*state)->start != plan.start) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--start: the simulation in ", plan.data, " began at ",
        time::FormatIso8601((*state)->start),
        "; leave --start out to go on with it, or choose another folder"));
  }
  plan.start = (*state)->start;
  plan.now = (*state)->now;
  return absl::OkStatus();
}

absl::StatusOr<Plan> ReadPlan(const Arguments& arguments,
                              const env::Environment& environment) {
  Plan plan;
  const absl::StatusOr<absl::Duration> span =
      ParseMinutes("for", arguments.Get("for"));
  if (!span.ok()) return span.status();
  const absl::StatusOr<Faults> faults = ParseFaults(arguments.Get("faults"));
  if (!faults.ok()) return faults.status();
  plan.faults = *faults;
  const absl::StatusOr<std::int64_t> seed =
      ParseCount("seed", arguments.Get("seed"), 0, INT64_MAX);
  if (!seed.ok()) return seed.status();
  plan.seed = static_cast<std::uint64_t>(*seed);
  absl::StatusOr<bedrock::BedrockOptions> model =
      ReadModelFlags(arguments, environment);
  if (!model.ok()) return model.status();
  plan.bedrock = *std::move(model);
  if (absl::Status status = ReadStart(arguments, environment, plan);
      !status.ok()) {
    return status;
  }
  const absl::StatusOr<absl::Time> end = SimulatedEnd(plan.start, *span);
  if (!end.ok()) return end.status();
  plan.end = *end;
  return plan;
}

// What a simulation comes to.
struct Finished {
  std::vector<applications::SimulationReport> reports{};
  std::int64_t retries = 0;
  std::int64_t redriven = 0;
};

std::int64_t Missing(
    const std::vector<applications::SimulationReport>& reports) {
  std::int64_t missing = 0;
  for (const applications::SimulationReport& report : reports) {
    missing += report.missing;
  }
  return missing;
}

std::string FormatReport(const Finished& finished, absl::Duration took) {
  std::string text;
  for (const applications::SimulationReport& report : finished.reports) {
    absl::StrAppend(&text, report.text);
  }
  absl::StrAppendFormat(&text,
                        "retries          %d\n"
                        "dead letters     %d moved back\n"
                        "took             %.1f s\n",
                        finished.retries, finished.redriven,
                        absl::ToDoubleSeconds(took));
  return text;
}

// The stacks and the clock that they go by. Not thread-safe.
class Simulation {
 public:
  // All outlive it.
  struct World {
    const std::vector<Application>& applications;
    const Arguments& arguments;
    http::Client& http_client;
    QueuedTerminal& terminal;
    const host::EndSignals& end_signals;
  };
  Simulation(Plan plan, const World& world)
      : plan_(std::move(plan)),
        world_(world),
        faults_(plan_.faults, plan_.seed),
        clock_(plan_.now),
        runs_(world.applications, RunWorldFor(world)) {}

  absl::Status Start(std::vector<stack::StackDeployment> deployments);
  // Until the end, and then until nothing is missing or nothing helps.
  absl::Status Run();
  Finished finished() const {
    return {.reports = Reports(),
            .retries = cloud_->retries(),
            .redriven = redriven_};
  }
  void Stop() {
    runs_.Stop();
    cloud_->Stop();
  }

 private:
  applications::RunWorld RunWorldFor(const World& world);
  std::vector<applications::SimulationReport> Reports() const;
  stack::StackCloudOptions CloudOptions();
  // What --faults can make fail.
  std::vector<std::string> FaultNames() const;
  // Runs everything that is due until `end`, and notes how far it has come.
  absl::Status RunUntil(absl::Time end);
  // Runs on until waiting longer would change nothing in the report.
  absl::Status Settle();
  // Whether a message is left that may still be taken: a dead letter is not,
  // before it is moved back. Or whether an application has work left.
  absl::StatusOr<bool> WorkIsUnderWay() const;
  void Note(const std::string& note) {
    world_.terminal.Note(absl::StrCat("\r", note, "\n"));
  }

  const Plan plan_;
  const World world_;
  FaultSource faults_;
  // Not before all is deployed.
  std::atomic<bool> faults_on_ = false;
  std::int64_t redriven_ = 0;
  time::SimulatedClock clock_;
  ApplicationRuns runs_;
  std::unique_ptr<stack::StackCloud> cloud_;
};

applications::RunWorld Simulation::RunWorldFor(const World& world) {
  return {
      .clock = clock_,
      .pace = applications::RunWorld::Pace::kSimulated,
      .http_client = world.http_client,
      .arguments = world.arguments,
      .credentials = DefaultCredentials(),
      .print = [this](const std::string& text) { world_.terminal.Print(text); },
      .note = [this](const std::string& note) { Note(note); },
      .fails = [this](absl::string_view what) { return faults_.Fails(what); }};
}

std::vector<applications::SimulationReport> Simulation::Reports() const {
  std::vector<applications::SimulationReport> reports;
  for (applications::ApplicationRun* run : runs_.all()) {
    reports.push_back(run->Report({.from = plan_.start, .to = plan_.end}));
  }
  return reports;
}

stack::StackCloudOptions Simulation::CloudOptions() {
  return {.gateway = {.port = 0},
          .data_directory = plan_.data,
          .applications = runs_.Modules(),
          .on_note = [this](const std::string& note) { Note(note); },
          .fault = [this](absl::string_view service,
                          absl::string_view) -> absl::Status {
            if (!faults_on_ || !faults_.Fails(service)) return absl::OkStatus();
            return ServiceError({.code = "ServiceUnavailable",
                                 .message = "simulated fault",
                                 .http_status = 503});
          },
          .crash = [this] { return faults_on_ && faults_.Fails(kCrashFault); },
          .bedrock = plan_.bedrock};
}

std::vector<std::string> Simulation::FaultNames() const {
  std::vector<std::string> names;
  for (const Application& application : world_.applications) {
    for (const auto& [name, meaning] : application.faults) {
      names.push_back(name);
    }
  }
  for (std::string& service : cloud_->services()) {
    names.push_back(std::move(service));
  }
  return names;
}

absl::Status Simulation::Start(
    std::vector<stack::StackDeployment> deployments) {
  if (absl::Status ready = runs_.Prepare(deployments); !ready.ok()) {
    return ready;
  }
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start(CloudOptions(), clock_);
  if (!cloud.ok()) return cloud.status();
  cloud_ = *std::move(cloud);
  if (absl::Status possible = CheckFaults(plan_.faults, FaultNames());
      !possible.ok()) {
    return possible;
  }
  if (absl::Status deployed = runs_.Deploy(std::move(deployments), *cloud_);
      !deployed.ok()) {
    return deployed;
  }
  faults_on_ = true;
  cloud_->Begin();
  runs_.Begun();
  return absl::OkStatus();
}

absl::Status Simulation::RunUntil(absl::Time end) {
  while (clock_.Now() < end) {
    if (world_.end_signals.received()) {
      return absl::AbortedError(absl::StrCat(
          "stopped at ", time::FormatIso8601(clock_.Now()),
          plan_.data.empty() ? "" : "; the same command continues from there"));
    }
    clock_.RunUntil(std::min(clock_.Now() + kStep, end));
    if (plan_.data.empty()) continue;
    absl::Status saved =
        SaveState(plan_.data, {.start = plan_.start, .now = clock_.Now()});
    if (!saved.ok()) return saved;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Simulation::WorkIsUnderWay() const {
  for (applications::ApplicationRun* run : runs_.all()) {
    if (run->HasWorkUnderWay()) return true;
  }
  const absl::StatusOr<dashboard::Status> status = cloud_->source().GetStatus();
  if (!status.ok()) return status.status();
  return std::any_of(status->queues.begin(), status->queues.end(),
                     [](const dashboard::QueueStatus& queue) {
                       return !queue.holds_dead_letters &&
                              queue.visible + queue.delayed + queue.in_flight >
                                  0;
                     });
}

absl::Status Simulation::Settle() {
  const absl::Time latest = clock_.Now() + kSettleTime;
  absl::Status status = RunUntil(clock_.Now() + LeastSettleTime());
  while (status.ok() && clock_.Now() < latest) {
    const absl::StatusOr<bool> under_way = WorkIsUnderWay();
    if (!under_way.ok()) return under_way.status();
    if (!*under_way) break;
    status = RunUntil(std::min(clock_.Now() + absl::Minutes(1), latest));
  }
  return status;
}

absl::Status Simulation::Run() {
  const absl::Duration whole = plan_.end - plan_.start;
  const absl::Time last = plan_.end - absl::Seconds(1);
  while (clock_.Now() < last) {
    for (applications::ApplicationRun* run : runs_.all()) {
      run->SimulateUsers(clock_.Now());
    }
    const absl::Status status =
        RunUntil(std::min(clock_.Now() + absl::Minutes(1), last));
    if (!status.ok()) return status;
    if (world_.terminal.notes_are_interactive()) {
      const absl::Time now = clock_.Now() + absl::Seconds(1);
      ShowProgress(world_.terminal,
                   absl::FDivDuration(now - plan_.start, whole), now);
    }
  }
  // Later minutes are not counted. With --data a longer --for may want them.
  if (plan_.data.empty()) cloud_->EndSchedules();
  std::int64_t missing = 0;
  for (int round = 0; round <= kMaxRedrives; ++round) {
    const absl::Status status = Settle();
    if (!status.ok()) return status;
    const std::int64_t missing_before =
        std::exchange(missing, Missing(Reports()));
    if (missing == 0) break;
    // What moving back has not helped once, it will not help again.
    if (round > 0 && missing >= missing_before) break;
    const absl::StatusOr<std::int64_t> moved = RedriveAll(cloud_->source());
    if (!moved.ok()) return moved.status();
    redriven_ += *moved;
  }
  return absl::OkStatus();
}

absl::StatusOr<Finished> RunPlan(
    Plan plan, std::vector<stack::StackDeployment> deployments,
    const Simulation::World& world) {
  Simulation simulation(std::move(plan), world);
  absl::Status status = simulation.Start(std::move(deployments));
  if (status.ok()) status = simulation.Run();
  if (!status.ok()) return status;
  Finished finished = simulation.finished();
  simulation.Stop();
  return finished;
}

absl::Status Simulate(const std::vector<Application>& applications,
                      const Arguments& arguments, CommandContext& context) {
  absl::StatusOr<std::vector<stack::StackDeployment>> deployments =
      ReadArtifacts(arguments, context.environment, applications);
  if (!deployments.ok()) return deployments.status();
  absl::StatusOr<Plan> plan = ReadPlan(arguments, context.environment);
  if (!plan.ok()) return plan.status();

  const absl::Time began = absl::Now();
  const host::EndSignals end_signals;
  host::AllowManyOpenFiles();
  absl::StatusOr<Finished> finished;
  {
    // Everything is written when it is gone.
    QueuedTerminal notes(context.terminal);
    finished = RunPlan(*std::move(plan), *std::move(deployments),
                       {.applications = applications,
                        .arguments = arguments,
                        .http_client = context.http_client,
                        .terminal = notes,
                        .end_signals = end_signals});
    if (finished.ok() && notes.notes_are_interactive()) notes.Note("\n");
  }
  if (!finished.ok()) return finished.status();
  context.terminal.Print(FormatReport(*finished, absl::Now() - began));
  std::vector<std::string> missing;
  for (const applications::SimulationReport& report : finished->reports) {
    if (report.missing > 0) missing.push_back(report.missing_text);
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InternalError(absl::StrJoin(missing, ", "));
}

// "api (the polled API), crash (functions), or a service: sqs:0.05,crash:0.01"
std::string FaultsHelp(const std::vector<Application>& applications) {
  std::string help = "what fails how often: ";
  for (const Application& application : applications) {
    for (const auto& [name, meaning] : application.faults) {
      absl::StrAppend(&help, name, " (", meaning, "), ");
    }
  }
  absl::StrAppend(&help, kCrashFault,
                  " (functions), or a service: sqs:0.05,crash:0.01");
  return help;
}

}  // namespace

Command SimulateCommand(const std::vector<Application>& applications) {
  std::vector<FlagSpec> flags = {
      {.name = "for",
       .value = "SPAN",
       .help = "how long, in simulated time; whole minutes",
       .default_value = "24h"},
      {.name = "start",
       .value = "TIME",
       .help = "when it begins",
       .default_value = "2026-01-01T00:00:00Z"},
      {.name = "faults", .value = "LIST", .help = FaultsHelp(applications)},
      {.name = kDataFlag,
       .value = "FOLDER",
       .help = "keep data there; a simulation that was stopped, or killed, "
               "goes on from where it was"},
      {.name = "seed",
       .value = "N",
       .help = "of the faults",
       .default_value = "1"}};
  for (FlagSpec& flag : ModelFlags()) flags.push_back(std::move(flag));
  for (FlagSpec& flag : ArtifactFlags(applications)) {
    flags.push_back(std::move(flag));
  }
  return {
      .spec = {.name = "simulate",
               .summary = "run hours or days as fast as the work allows",
               .details = "Real functions, real HTTP and real storage on a "
                          "simulated clock.\nEnds with a report; the exit "
                          "code is 1 if something is missing. With --data, a "
                          "longer\n--for goes on with what is there: "
                          "retries and lateness in the report are "
                          "those\nof the last run.",
               .flags = std::move(flags)},
      .run = [applications](const Arguments& arguments,
                            CommandContext& context) {
        return Simulate(applications, arguments, context);
      }};
}

}  // namespace byoshin::local::cli
