#include "tests/bench/cloud_runs.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "tests/bench/connection.h"
#include "tests/bench/server.h"
#include "tests/bench/usage.h"
#include "tests/bench/wire.h"
#include "tests/integration/node.h"
#include "tests/integration/process.h"

namespace byoshin::bench {
namespace {

using integration::Process;

constexpr char kByoshin[] = "byoshin";  // beside us in the runfiles
constexpr char kStatusPath[] = "/_byoshin/api/status";
constexpr char kTickPath[] = "/_byoshin/api/tick";
constexpr int kOk = 200;
// When nothing is to be done any more for a slot, and nothing yet for the next.
constexpr absl::Duration kIdleFrom = absl::Seconds(1);
constexpr absl::Duration kIdleTo = absl::Milliseconds(4500);

// Function logs may be kept in HOME's place, and nothing else is inherited.
std::map<std::string, std::string> Variables() {
  std::map<std::string, std::string> variables;
  for (const char* name : {"PATH", "TMPDIR"}) {
    if (const char* value = getenv(name)) variables[name] = value;
  }
  return variables;
}

absl::StatusOr<std::unique_ptr<Server>> StartUp(
    const std::string& data_folder) {
  return Server::Start({.argv = {kByoshin, "up", "--port=0", "--api-port=0"},
                        .data_flag = "--data=",
                        .data_folder = data_folder,
                        .environment = Variables()});
}

absl::Status Ask(Server& server, const std::string& request) {
  absl::StatusOr<Connection> connection = Connection::Open(server.port());
  if (!connection.ok()) return connection.status();
  absl::StatusOr<Reply> reply = connection->Exchange(request);
  if (!reply.ok()) return reply.status();
  if (reply->status == kOk) return absl::OkStatus();
  return absl::UnknownError(
      absl::StrCat("it answered ", reply->status, " ", reply->body));
}

absl::Status Tick(Server& server) {
  return Ask(server, absl::StrCat("POST ", kTickPath,
                                  " HTTP/1.1\r\nHost: ", server.host(),
                                  "\r\nContent-Type: application/json"
                                  "\r\nX-Byoshin-Request: 1"
                                  "\r\nContent-Length: 2\r\n\r\n{}"));
}

// How long it took to end.
absl::StatusOr<absl::Duration> Interrupt(Process& process) {
  const absl::Time before = absl::Now();
  kill(process.pid(), SIGINT);
  absl::StatusOr<std::string> exit = process.AwaitExit();
  if (!exit.ok()) return exit.status();
  if (*exit == "exit status 0") return absl::Now() - before;
  return absl::UnknownError(absl::StrCat("it ended with ", *exit, ":\n",
                                         absl::StrJoin(process.lines(), "\n")));
}

void SleepUntil(absl::Time time) {
  const timespec until = absl::ToTimespec(time);
  while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr) ==
         EINTR) {
  }
}

// "2026-01-01T00:00:05Z  count   3       2.1 ms late"
void ReadSlots(const std::vector<std::string>& lines, absl::Time first,
               SlotRun& run) {
  std::map<absl::Time, int> seen;
  for (const std::string& line : lines) {
    const std::vector<std::string> words =
        absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (words.size() < 6 || words.back() != "late") continue;
    // "3 min 5 s" is "3m5s" to Abseil.
    std::string text = absl::StrJoin(words.begin() + 3, words.end() - 1, "");
    absl::StrReplaceAll({{"min", "m"}}, &text);
    absl::Duration lateness;
    if (!absl::ParseDuration(text, &lateness)) continue;
    const absl::StatusOr<absl::Time> slot = time::ParseIso8601(words[0]);
    if (!slot.ok() || *slot < first ||
        *slot >= first + run.expected * scheduler::kSlotInterval) {
      continue;
    }
    if (++seen[*slot] > 1) ++run.twice;
    run.lateness.push_back(lateness);
  }
  run.missing = run.expected - static_cast<int>(seen.size());
}

absl::Duration CpuTimeOfAll(pid_t cloud) {
  absl::Duration sum = CpuTime(cloud);
  for (const pid_t function : ChildrenOf(cloud)) sum += CpuTime(function);
  return sum;
}

// Waits for each slot's moment, and measures meanwhile.
void WatchSlots(pid_t cloud, absl::Time first, SlotRun& run) {
  absl::Duration idle_cpu;
  absl::Duration idle_time;
  SleepUntil(first);
  const absl::Duration cpu_before = CpuTimeOfAll(cloud);
  for (int i = 0; i < run.expected; ++i) {
    const absl::Time due = first + i * scheduler::kSlotInterval;
    SleepUntil(due);
    run.timer_lateness.push_back(absl::Now() - due);
    SleepUntil(due + kIdleFrom);
    const absl::Duration before = CpuTimeOfAll(cloud);
    const absl::Time from = absl::Now();
    SleepUntil(due + kIdleTo);
    idle_cpu += CpuTimeOfAll(cloud) - before;
    idle_time += absl::Now() - from;
  }
  SleepUntil(first + run.expected * scheduler::kSlotInterval);
  run.cpu =
      absl::FDivDuration(CpuTimeOfAll(cloud) - cpu_before, absl::Now() - first);
  run.idle_cpu = absl::FDivDuration(idle_cpu, idle_time);
}

absl::Time NextMinute() {
  return absl::FromUnixSeconds((absl::ToUnixSeconds(absl::Now()) / 60 + 1) *
                               60);
}

}  // namespace

absl::StatusOr<SlotRun> MeasureSlots(int minutes) {
  absl::StatusOr<std::unique_ptr<Server>> server = StartUp("");
  if (!server.ok()) return server.status();
  Process& process = (*server)->process();
  const int per_minute =
      static_cast<int>(absl::Minutes(1) / scheduler::kSlotInterval);
  SlotRun run{.expected = minutes > 0 ? minutes * per_minute : 1};
  absl::Time first = NextMinute();
  if (minutes > 0) {
    WatchSlots(process.pid(), first, run);
    // It may be on its way still; what is not there then is missing.
    process
        .AwaitLine(time::FormatIso8601(first + (run.expected - 1) *
                                                   scheduler::kSlotInterval))
        .IgnoreError();
  } else {
    if (absl::Status status = Tick(**server); !status.ok()) return status;
    absl::StatusOr<std::string> line = process.AwaitLine(" late");
    if (!line.ok()) return line.status();
    absl::StatusOr<absl::Time> slot =
        time::ParseIso8601(line->substr(0, line->find(' ')));
    if (!slot.ok()) return slot.status();
    first = *slot;
  }
  ReadSlots(process.lines(), first, run);
  run.cloud_kib = run.all_kib = (*server)->ResidentKib();
  for (const pid_t function : ChildrenOf(process.pid())) {
    run.all_kib += ResidentKib(function);
  }
  if (absl::StatusOr<absl::Duration> stop = Interrupt(process); !stop.ok()) {
    return stop.status();
  }
  return run;
}

absl::StatusOr<StartRun> MeasureStart(const std::string& data_folder) {
  const absl::Duration cpu_before = EndedChildrenCpuTime();
  absl::StatusOr<std::unique_ptr<Server>> server = StartUp(data_folder);
  if (!server.ok()) return server.status();
  absl::Status status = Ask(**server, PlainGet((*server)->host(), kStatusPath));
  if (!status.ok()) return status;
  StartRun run;
  run.ready = absl::Now() - (*server)->process().started();
  if (status = Tick(**server); !status.ok()) return status;
  absl::StatusOr<absl::Duration> stop = Interrupt((*server)->process());
  if (!stop.ok()) return stop.status();
  run.stop = *stop;
  run.cpu = EndedChildrenCpuTime() - cpu_before;
  return run;
}

absl::StatusOr<absl::Duration> MeasureNodeStart() {
  absl::StatusOr<std::unique_ptr<Process>> node =
      Process::Start({.argv = {integration::NodePath(), "-e", "0"},
                      .environment = integration::NodeEnvironment()});
  if (!node.ok()) return node.status();
  absl::StatusOr<std::string> exit = (*node)->AwaitExit();
  if (!exit.ok()) return exit.status();
  return absl::Now() - (*node)->started();
}

absl::StatusOr<SimulationRun> MeasureSimulation(absl::Duration simulated) {
  const absl::Duration cpu_before = EndedChildrenCpuTime();
  absl::StatusOr<std::unique_ptr<Process>> process = Process::Start(
      {.argv = {kByoshin, "simulate",
                absl::StrCat("--for=", absl::ToInt64Minutes(simulated), "m")},
       .environment = Variables()});
  if (!process.ok()) return process.status();
  // Longer than a test would wait.
  while ((*process)->running()) (*process)->AwaitExit().IgnoreError();
  SimulationRun run{.took = absl::Now() - (*process)->started(),
                    .cpu = EndedChildrenCpuTime() - cpu_before};
  const std::pair<absl::string_view, int*> figures[] = {
      {"slots expected ", &run.expected},
      {"missing ", &run.missing},
      {"duplicate ", &run.twice}};
  const std::vector<std::string> lines = (*process)->lines();
  for (const auto& [name, figure] : figures) {
    bool found = false;
    for (const std::string& line : lines) {
      if (!absl::StartsWith(line, name)) continue;
      found = absl::SimpleAtoi(line.substr(name.size()), figure);
    }
    if (!found) {
      return absl::UnknownError(absl::StrCat("no report of the simulation:\n",
                                             absl::StrJoin(lines, "\n")));
    }
  }
  return run;
}

}  // namespace byoshin::bench
