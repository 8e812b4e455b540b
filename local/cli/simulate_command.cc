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
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/env/working_directory.h"
#include "core/host/end_signals.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "core/time/simulated_clock.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/data_flag.h"
#include "local/cli/faults.h"
#include "local/cli/ledger.h"
#include "local/cli/queued_terminal.h"
#include "local/cli/simulated_span.h"
#include "local/cli/simulation_state.h"
#include "local/cli/terminal.h"
#include "local/cli/up_command.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/duration_text.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/gateway/error.h"
#include "local/lambda/async_invoker.h"
#include "local/stack/scheduler_parts.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"
#include "local/store/data_flags.h"
#include "mockapi/server.h"

namespace byoshin::local::cli {
namespace {

// After the last minute: long enough for every message to be retried until it
// is a dead letter (five receives, three minutes apart), and again once it was
// moved back.
constexpr absl::Duration kSettleTime = absl::Minutes(20);
constexpr int kMaxRedrives = 10;

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

std::string FormatReport(const Ledger::Report& report, std::int64_t retries,
                         std::int64_t redriven, absl::Duration took) {
  const auto late = [&](absl::Duration dashboard::Quantiles::*part) {
    return report.lateness ? dashboard::DurationText((*report.lateness).*part)
                           : std::string("-");
  };
  // A template of somebody's own may store none.
  const std::string slots =
      report.expected == 0
          ? ""
          : absl::StrFormat(
                "slots expected   %d\n"
                "stored           %d\n"
                "missing          %d\n"
                "duplicate        %d\n"
                "lateness         p50 %s, p99 %s, max %s (simulated)\n",
                report.expected, report.stored, report.missing,
                report.duplicate, late(&dashboard::Quantiles::p50),
                late(&dashboard::Quantiles::p99),
                late(&dashboard::Quantiles::max));
  return absl::StrFormat(
      "%s"
      "retries          %d\n"
      "dead letters     %d moved back\n"
      "took             %.1f s\n",
      slots, retries, redriven, absl::ToDoubleSeconds(took));
}

// Moves dead letters back, as an operator would; answers how many.
absl::StatusOr<std::int64_t> RedriveAll(dashboard::DashboardSource& source) {
  const absl::StatusOr<dashboard::Status> status = source.GetStatus();
  if (!status.ok()) return status.status();
  std::set<std::string> queues;
  for (const dashboard::QueueStatus& queue : status->queues) {
    if (!queue.dead_letter_queue.empty())
      queues.insert(queue.dead_letter_queue);
  }
  std::int64_t all = 0;
  for (const std::string& queue : queues) {
    const absl::StatusOr<std::int64_t> moved =
        source.Redrive(queue, std::nullopt);
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
  if (absl::Status status = ReadStart(arguments, environment, plan);
      !status.ok()) {
    return status;
  }
  const absl::StatusOr<absl::Time> end = SimulatedEnd(plan.start, *span);
  if (!end.ok()) return end.status();
  plan.end = *end;
  return plan;
}

// The stack, the API that it polls and the clock that both go by. Not
// thread-safe.
class Simulation {
 public:
  // The references outlive it.
  Simulation(Plan plan, QueuedTerminal& terminal,
             const host::EndSignals& end_signals)
      : plan_(std::move(plan)),
        terminal_(terminal),
        end_signals_(end_signals),
        faults_(plan_.faults, plan_.seed),
        clock_(plan_.now) {}

  absl::Status Start(stack::StackDeployment deployment);
  // Until the end, and then until nothing is missing or nothing helps.
  absl::Status Run();
  // Without slots if the stack has no scheduler.
  Ledger::Report report() const { return ledger_.Count(Slots()); }
  std::int64_t retries() const { return cloud_->retries(); }
  std::int64_t redriven() const { return redriven_; }
  void Stop() { cloud_->Stop(); }

 private:
  // Empty if the stack has no scheduler.
  dashboard::TimeRange Slots() const {
    if (!window_lag_.has_value()) return {};
    return SlotsDueIn({.from = plan_.start, .to = plan_.end}, *window_lag_);
  }
  absl::Status StartApi();
  stack::StackCloudOptions CloudOptions();
  // Runs everything that is due until `end`, and notes how far it has come.
  absl::Status RunUntil(absl::Time end);
  // Runs on until waiting longer would change nothing in the report.
  absl::Status Settle();
  // Whether a message is left that may still be taken: a dead letter is not,
  // before it is moved back.
  absl::StatusOr<bool> MessagesAreUnderWay() const;

  const Plan plan_;
  QueuedTerminal& terminal_;
  const host::EndSignals& end_signals_;
  FaultSource faults_;
  Ledger ledger_;
  // Of the deployed scheduler; without value if the stack has none.
  std::optional<absl::Duration> window_lag_{};
  // Not before all is deployed.
  std::atomic<bool> faults_on_ = false;
  std::int64_t redriven_ = 0;
  time::SimulatedClock clock_;
  std::unique_ptr<http::Server> api_;
  std::unique_ptr<stack::StackCloud> cloud_;
};

absl::Status Simulation::StartApi() {
  absl::StatusOr<std::unique_ptr<http::Server>> api = http::Server::Start(
      {.port = 0, .threads = 2},
      [this](const http::ServerRequest& request, http::Responder respond) {
        if (faults_.Fails(kApiFault)) {
          return respond({.status = 500, .body = "simulated fault\n"});
        }
        respond(mockapi::Answer(request));
      });
  if (!api.ok()) return api.status();
  api_ = *std::move(api);
  return absl::OkStatus();
}

stack::StackCloudOptions Simulation::CloudOptions() {
  return {
      .gateway = {.port = 0},
      .data_directory = plan_.data,
      .on_record =
          [this](const dashboard::SlotRecord& record) { ledger_.Add(record); },
      .on_note =
          [this](const std::string& note) {
            terminal_.Note(absl::StrCat("\r", note, "\n"));
          },
      .fault = [this](absl::string_view service,
                      absl::string_view) -> absl::Status {
        if (!faults_on_ || !faults_.Fails(service)) return absl::OkStatus();
        return ServiceError({.code = "ServiceUnavailable",
                             .message = "simulated fault",
                             .http_status = 503});
      },
      .crash = [this] { return faults_on_ && faults_.Fails(kCrashFault); }};
}

absl::Status Simulation::Start(stack::StackDeployment deployment) {
  const absl::StatusOr<stack::TemplateInputs> inputs =
      stack::ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  if (inputs->parameters.contains(kApiBaseUrlParameter)) {
    if (absl::Status status = StartApi(); !status.ok()) return status;
    deployment.parameters.try_emplace(kApiBaseUrlParameter, api_->url());
  }
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start(CloudOptions(), clock_);
  if (!cloud.ok()) return cloud.status();
  cloud_ = *std::move(cloud);
  if (absl::Status possible = CheckFaults(plan_.faults, cloud_->services());
      !possible.ok()) {
    return possible;
  }
  const absl::StatusOr<cloudformation::DeployResult> deployed =
      cloud_->Deploy(deployment);
  if (!deployed.ok()) return deployed.status();
  if (const std::optional<stack::SchedulerParts> parts =
          stack::FindScheduler(deployed->stack)) {
    window_lag_ = parts->window_lag;
  }
  absl::Status visited = cloud_->source().VisitRecords(
      Slots(), [this](const dashboard::SlotRecord& record) {
        ledger_.AddFound(record.slot);
        return true;
      });
  if (!visited.ok()) return visited;
  faults_on_ = true;
  cloud_->Begin();
  return absl::OkStatus();
}

absl::Status Simulation::RunUntil(absl::Time end) {
  while (clock_.Now() < end) {
    if (end_signals_.received()) {
      return absl::AbortedError(absl::StrCat(
          "stopped at ", time::FormatIso8601(clock_.Now()),
          plan_.data.empty() ? "" : "; the same command continues from there"));
    }
    clock_.RunUntil(std::min(clock_.Now() + scheduler::kSlotInterval, end));
    if (plan_.data.empty()) continue;
    absl::Status saved =
        SaveState(plan_.data, {.start = plan_.start, .now = clock_.Now()});
    if (!saved.ok()) return saved;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Simulation::MessagesAreUnderWay() const {
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
    const absl::StatusOr<bool> under_way = MessagesAreUnderWay();
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
    const absl::Status status =
        RunUntil(std::min(clock_.Now() + absl::Minutes(1), last));
    if (!status.ok()) return status;
    if (terminal_.notes_are_interactive()) {
      const absl::Time now = clock_.Now() + absl::Seconds(1);
      ShowProgress(terminal_, absl::FDivDuration(now - plan_.start, whole),
                   now);
    }
  }
  // Later minutes are not counted. With --data a longer --for may want them.
  if (plan_.data.empty()) cloud_->EndSchedules();
  std::int64_t missing = 0;
  for (int round = 0; round <= kMaxRedrives; ++round) {
    const absl::Status status = Settle();
    if (!status.ok()) return status;
    const std::int64_t missing_before =
        std::exchange(missing, report().missing);
    if (missing == 0) break;
    // What moving back has not helped once, it will not help again.
    if (round > 0 && missing >= missing_before) break;
    const absl::StatusOr<std::int64_t> moved = RedriveAll(cloud_->source());
    if (!moved.ok()) return moved.status();
    redriven_ += *moved;
  }
  return absl::OkStatus();
}

struct Finished {
  Ledger::Report report{};
  std::int64_t retries = 0;
  std::int64_t redriven = 0;
};

absl::StatusOr<Finished> RunPlan(Plan plan, stack::StackDeployment deployment,
                                 const host::EndSignals& end_signals,
                                 Terminal& terminal) {
  // Everything is written when this returns.
  QueuedTerminal notes(terminal);
  Simulation simulation(std::move(plan), notes, end_signals);
  absl::Status status = simulation.Start(std::move(deployment));
  if (status.ok()) status = simulation.Run();
  if (!status.ok()) return status;
  Finished finished{.report = simulation.report(),
                    .retries = simulation.retries(),
                    .redriven = simulation.redriven()};
  simulation.Stop();
  if (notes.notes_are_interactive()) notes.Note("\n");
  return finished;
}

absl::Status Simulate(const Arguments& arguments, CommandContext& context) {
  absl::StatusOr<stack::StackDeployment> deployment =
      ReadArtifacts(arguments, context.environment);
  if (!deployment.ok()) return deployment.status();
  absl::StatusOr<Plan> plan = ReadPlan(arguments, context.environment);
  if (!plan.ok()) return plan.status();

  const absl::Time began = absl::Now();
  const host::EndSignals end_signals;
  const absl::StatusOr<Finished> finished = RunPlan(
      *std::move(plan), *std::move(deployment), end_signals, context.terminal);
  if (!finished.ok()) return finished.status();
  context.terminal.Print(FormatReport(finished->report, finished->retries,
                                      finished->redriven, absl::Now() - began));
  if (finished->report.missing > 0) {
    return absl::InternalError(
        absl::StrCat(finished->report.missing, " slots are missing"));
  }
  return absl::OkStatus();
}

}  // namespace

Command SimulateCommand() {
  std::vector<FlagSpec> flags = {
      {.name = "for",
       .value = "SPAN",
       .help = "how long, in simulated time; whole minutes",
       .default_value = "24h"},
      {.name = "start",
       .value = "TIME",
       .help = "when it begins",
       .default_value = "2026-01-01T00:00:00Z"},
      {.name = "faults",
       .value = "LIST",
       .help = "what fails how often: api (the polled API), crash "
               "(functions), or a service: api:0.3,sqs:0.05,crash:0.01"},
      {.name = kDataFlag,
       .value = "FOLDER",
       .help = "keep data there; a simulation that was stopped, or killed, "
               "goes on from where it was"},
      {.name = "seed",
       .value = "N",
       .help = "of the faults",
       .default_value = "1"}};
  for (FlagSpec& flag : ArtifactFlags()) flags.push_back(std::move(flag));
  return {.spec = {.name = "simulate",
                   .summary = "run hours or days as fast as the work allows",
                   .details = "Real functions, real HTTP and real storage on a "
                              "simulated clock.\nEnds with a report; the exit "
                              "code is 1 if a slot is missing. With --data, a "
                              "longer\n--for goes on with what is there: "
                              "retries and lateness in the report are "
                              "those\nof the last run.",
                   .flags = std::move(flags)},
          .run = Simulate};
}

}  // namespace byoshin::local::cli
