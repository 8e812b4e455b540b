#include "local/cli/simulate_command.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
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
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/iso8601.h"
#include "core/time/simulated_clock.h"
#include "core/time/slot.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/terminal.h"
#include "local/cli/up_command.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/gateway/error.h"
#include "local/stack/stack_cloud.h"
#include "mockapi/server.h"

namespace byoshin::local::cli {
namespace {

// After the last minute: long enough for every message to be retried until it
// is a dead letter (five receives, three minutes apart), and again once it was
// moved back.
constexpr absl::Duration kSettleTime = absl::Minutes(20);
constexpr int kMaxRedrives = 10;

// Decides what fails. Thread-safe.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  bool Happens(double probability) {
    if (probability <= 0) return false;
    std::lock_guard lock(mutex_);
    return std::uniform_real_distribution<double>(0, 1)(random_) < probability;
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 random_;
};

// What was stored, and when. Thread-safe.
class Ledger {
 public:
  void Add(const dashboard::SlotRecord& record) {
    std::lock_guard lock(mutex_);
    ++times_stored_[record.slot];
    if (record.lateness) lateness_.push_back(*record.lateness);
  }

  struct Report {
    std::int64_t expected = 0;
    std::int64_t stored = 0;
    std::int64_t missing = 0;
    std::int64_t duplicate = 0;
    std::optional<dashboard::Quantiles> lateness{};
  };
  Report Count(absl::Time from, absl::Time to) const {
    std::lock_guard lock(mutex_);
    Report report;
    for (absl::Time slot = from; slot < to; slot += time::kSlotInterval) {
      ++report.expected;
      const auto found = times_stored_.find(slot);
      if (found == times_stored_.end()) {
        ++report.missing;
      } else {
        ++report.stored;
        report.duplicate += found->second - 1;
      }
    }
    std::vector<absl::Duration> lateness = lateness_;
    report.lateness = dashboard::QuantilesOf(lateness);
    return report;
  }

 private:
  mutable std::mutex mutex_;
  std::map<absl::Time, std::int64_t> times_stored_;
  std::vector<absl::Duration> lateness_;
};

void ShowProgress(Terminal& terminal, double done, absl::Time now) {
  constexpr int kWidth = 40;
  const int filled = static_cast<int>(done * kWidth);
  terminal.Note(absl::StrFormat(
      "\r[%s%s] %3.0f %%  %s", std::string(filled, '#'),
      std::string(kWidth - filled, ' '), done * 100, time::FormatIso8601(now)));
}

std::string FormatReport(const Ledger::Report& report, std::int64_t retries,
                         std::int64_t redriven, absl::Duration took) {
  const auto millis = [&](absl::Duration dashboard::Quantiles::*part) {
    return report.lateness
               ? absl::StrFormat("%.1f ms", absl::ToDoubleMilliseconds(
                                                (*report.lateness).*part))
               : std::string("-");
  };
  return absl::StrFormat(
      "slots expected   %d\n"
      "stored           %d\n"
      "missing          %d\n"
      "duplicate        %d\n"
      "lateness         p50 %s, p99 %s, max %s (simulated)\n"
      "retries          %d\n"
      "dead letters     %d moved back\n"
      "took             %.1f s\n",
      report.expected, report.stored, report.missing, report.duplicate,
      millis(&dashboard::Quantiles::p50), millis(&dashboard::Quantiles::p99),
      millis(&dashboard::Quantiles::max), retries, redriven,
      absl::ToDoubleSeconds(took));
}

// Moves dead letters back, as an operator would; answers how many.
absl::StatusOr<std::int64_t> RedriveAll(dashboard::DashboardSource& source) {
  const absl::StatusOr<dashboard::DeadLetters> letters =
      source.GetDeadLetters(1);
  if (!letters.ok()) return letters.status();
  if (letters->total == 0) return 0;
  return source.Redrive(letters->messages.front().queue, std::nullopt);
}

struct Plan {
  absl::Time start;
  absl::Time end;
  Faults faults;
  std::uint64_t seed;
};

absl::StatusOr<Plan> ReadPlan(const Arguments& arguments) {
  Plan plan;
  const absl::StatusOr<absl::Duration> span =
      ParseSpan("for", arguments.Get("for"));
  if (!span.ok()) return span.status();
  const absl::StatusOr<absl::Time> start =
      time::ParseIso8601(arguments.Get("start"));
  if (!start.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--start: ", start.status().message()));
  }
  // Whole minutes: the schedule fires on them.
  plan.start = absl::FromUnixSeconds(absl::ToUnixSeconds(*start) / 60 * 60);
  plan.end = plan.start + absl::Minutes(std::max<std::int64_t>(
                              1, absl::ToInt64Minutes(*span)));
  const absl::StatusOr<Faults> faults = ParseFaults(arguments.Get("faults"));
  if (!faults.ok()) return faults.status();
  plan.faults = *faults;
  const absl::StatusOr<std::int64_t> seed =
      ParseCount("seed", arguments.Get("seed"), 0, INT64_MAX);
  if (!seed.ok()) return seed.status();
  plan.seed = static_cast<std::uint64_t>(*seed);
  return plan;
}

absl::Status Simulate(const Arguments& arguments, CommandContext& context) {
  const absl::StatusOr<Plan> plan = ReadPlan(arguments);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<stack::StackDeployment> deployment = ReadArtifacts(arguments);
  if (!deployment.ok()) return deployment.status();

  const absl::Time began = absl::Now();
  Chance chance(plan->seed);
  Ledger ledger;
  // Shortly before the first minute, so that it fires.
  time::SimulatedClock clock(plan->start - absl::Seconds(1));
  absl::StatusOr<std::unique_ptr<http::Server>> api = http::Server::Start(
      {.port = 0, .threads = 2},
      [&](const http::ServerRequest& request, http::Responder respond) {
        if (chance.Happens(plan->faults.api)) {
          return respond({.status = 500, .body = "simulated fault\n"});
        }
        respond(mockapi::Answer(request));
      });
  if (!api.ok()) return api.status();
  deployment->parameters.try_emplace(kApiBaseUrlParameter, (*api)->url());

  // Not before all is deployed.
  std::atomic<bool> faults_on = false;
  absl::StatusOr<std::unique_ptr<stack::StackCloud>> cloud =
      stack::StackCloud::Start(
          {.gateway = {.port = 0},
           .on_record =
               [&](const dashboard::SlotRecord& record) { ledger.Add(record); },
           .on_note =
               [&](const std::string& note) {
                 context.terminal.Note(absl::StrCat("\r", note, "\n"));
               },
           .fault = [&](absl::string_view, absl::string_view) -> absl::Status {
             if (!faults_on || !chance.Happens(plan->faults.sqs)) {
               return absl::OkStatus();
             }
             return ServiceError({.code = "ServiceUnavailable",
                                  .message = "simulated fault",
                                  .http_status = 503});
           },
           .crash =
               [&] { return faults_on && chance.Happens(plan->faults.crash); }},
          clock);
  if (!cloud.ok()) return cloud.status();
  const absl::StatusOr<cloudformation::DeployResult> deployed =
      (*cloud)->Deploy(*deployment);
  if (!deployed.ok()) return deployed.status();
  faults_on = true;
  (*cloud)->Begin();

  const absl::Duration whole = plan->end - plan->start;
  for (absl::Time now = plan->start; now < plan->end;) {
    now = std::min(now + absl::Minutes(1), plan->end);
    clock.RunUntil(now - absl::Seconds(1));
    if (context.terminal.notes_are_interactive()) {
      ShowProgress(context.terminal,
                   absl::FDivDuration(now - plan->start, whole), now);
    }
  }
  std::int64_t redriven = 0;
  Ledger::Report report;
  for (int round = 0; round <= kMaxRedrives; ++round) {
    clock.RunUntil(clock.Now() + kSettleTime);
    const std::int64_t missing_before = report.missing;
    report = ledger.Count(plan->start, plan->end);
    if (report.missing == 0) break;
    // What moving back has not helped once, it will not help again.
    if (round > 0 && report.missing >= missing_before) break;
    const absl::StatusOr<std::int64_t> moved = RedriveAll((*cloud)->source());
    if (!moved.ok()) return moved.status();
    redriven += *moved;
  }
  const std::int64_t retries = (*cloud)->retries();
  (*cloud)->Stop();
  if (context.terminal.notes_are_interactive()) context.terminal.Note("\n");
  context.terminal.Print(
      FormatReport(report, retries, redriven, absl::Now() - began));
  if (report.missing > 0) {
    return absl::InternalError(
        absl::StrCat(report.missing, " slots are missing"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Faults> ParseFaults(absl::string_view text) {
  Faults faults;
  const std::pair<absl::string_view, double*> kinds[] = {
      {"api", &faults.api}, {"sqs", &faults.sqs}, {"crash", &faults.crash}};
  for (const absl::string_view entry :
       absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits(':', 1));
    bool known = false;
    for (const auto& [name, value] : kinds) {
      if (parts.first != name) continue;
      known =
          absl::SimpleAtod(parts.second, value) && *value >= 0 && *value <= 1;
    }
    if (!known) {
      return absl::InvalidArgumentError(
          absl::StrCat("--faults: \"", entry,
                       "\" is not api:P, sqs:P or crash:P with P from 0 to 1"));
    }
  }
  return faults;
}

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
       .help = "what fails how often: api:0.3,sqs:0.05,crash:0.01"},
      {.name = "seed",
       .value = "N",
       .help = "of the faults",
       .default_value = "1"}};
  for (FlagSpec& flag : ArtifactFlags()) flags.push_back(std::move(flag));
  return {
      .spec = {.name = "simulate",
               .summary = "run hours or days as fast as the work allows",
               .details = "Real functions, real HTTP and real storage on a "
                          "simulated clock, in memory.\nEnds with a report; "
                          "the exit code is 1 if a slot is missing.",
               .flags = std::move(flags)},
      .run = Simulate};
}

}  // namespace byoshin::local::cli
